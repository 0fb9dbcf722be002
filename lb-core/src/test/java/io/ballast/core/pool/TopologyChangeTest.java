package io.ballast.core.pool;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.balance.Member;
import io.ballast.core.balance.Picker;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.LatencyConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.QueueConfig;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.core.testing.Pools;
import io.ballast.core.testing.SeededRequest;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TopologyChangeTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final Set<String> unknownNames = new HashSet<>();
    private int port = 1000;
    private final TopologyBuilder builder = new TopologyBuilder(this::resolve, /* shards= */ 2, scheduler.clock());
    private final PoolConfig template =
            Pools.pool("web", HealthConfig.DEFAULT, Backends.weighted(1)).config();

    private InetSocketAddress resolve(HostPort address) {
        if (unknownNames.contains(address.host())) {
            throw new IllegalStateException(address + ": no address");
        }
        return at(address.host(), port);
    }

    private static InetSocketAddress at(String host, int port) {
        return new InetSocketAddress("10.0.0." + (int) host.charAt(0), port);
    }

    @Test
    void unchangedBackendsAreReused() {
        Topology first = builder.build(config(pool("web", "a", "b"), pool("api", "a")));

        TopologyChange change = put(first, config(pool("api", "a"), pool("web", "b", "c")));

        assertThat(change.next().pools().keySet()).containsExactly("api", "web");
        assertThat(change.next().pool("web")).isSameAs(first.pool("web"));
        assertThat(change.next().generation()).isEqualTo(1);
        assertThat(names(first.pool("web"))).containsExactly("b", "c");
        assertThat(change.changed()).containsExactly(first.pool("web"));
        assertThat(change.joining())
                .extracting(each -> each.backend().toString())
                .containsExactly("web/c:80");
        assertThat(change.leaving()).extracting(Backend::toString).containsExactly("web/a:80");
        assertThat(change.disconnecting()).isEqualTo(change.leaving());
    }

    @Test
    void newBackendStartsSlowly() {
        Topology first = builder.build(config(slow(pool("web", "a", "b"))));

        TopologyChange change = put(first, config(slow(pool("web", "a", "c")), slow(pool("api", "a"))));

        Topology next = change.next();
        assertThat(backend(next.pool("web"), "c").slowStartTenths()).isEqualTo(1);
        assertThat(backend(next.pool("web"), "a").slowStartTenths()).isEqualTo(Backend.ALL_TENTHS);
        assertThat(backend(next.pool("api"), "a").slowStartTenths())
                .as("the first backends of a new pool start at full weight")
                .isEqualTo(Backend.ALL_TENTHS);
        assertThat(next.pool("web").snapshot().usable())
                .extracting(Member::weight)
                .containsExactly(10, 1);
    }

    @Test
    void equalConfigurationChangesNothing() {
        Topology first = builder.build(config(pool("web", "a", "b")));

        TopologyChange change = builder.next(config(pool("web", "a", "b")), first);

        assertThat(change.changed()).isEmpty();
        assertThat(change.joining()).isEmpty();
        assertThat(change.disconnecting()).isEmpty();
    }

    @Test
    void remainingBackendKeepsState() {
        Topology first = builder.build(config(pool("web", "a", "b")));
        Backend kept = backend(first.pool("web"), "b");
        kept.inFlight().begin();

        put(first, config(pool("web", "c", "b")));

        assertThat(backend(first.pool("web"), "b")).isSameAs(kept);
        assertThat(kept.inFlight().count()).isEqualTo(1);
    }

    @Test
    void preparedChangeHasNoEffect() {
        Topology first = builder.build(config(pool("web", "a")));
        Backend a = backend(first.pool("web"), "a");

        TopologyChange change = builder.next(config(pool("web", "b")), first);
        change.compile();

        assertThat(names(first.pool("web"))).containsExactly("a");
        assertThat(a.health().state()).isEqualTo(BackendState.UNKNOWN);
        change.commit();
        assertThat(names(first.pool("web"))).containsExactly("b");
        assertThat(a.health().state()).isEqualTo(BackendState.DRAINING);
        assertThat(a.health().reason()).isEqualTo("no longer in the configuration");
    }

    @Test
    void oldRoutesUseOldMembersUntilSettled() {
        Topology first = builder.build(config(pool("web", "a")));
        Pool web = first.pool("web");

        TopologyChange change = builder.next(config(pool("web", "b")), first);
        change.compile();
        change.commit();

        assertThat(usable(web.snapshot(0))).containsExactly("a");
        assertThat(usable(web.snapshot(1))).containsExactly("b");
        assertThat(usable(web.snapshot())).containsExactly("b");
        change.releasePrevious();
        assertThat(usable(web.snapshot(0))).containsExactly("b");
    }

    @Test
    void oldSnapshotIsNotPublished() {
        Topology first = builder.build(config(pool("web", "a")));
        Pool web = first.pool("web");
        PoolSnapshot late = web.compile();

        put(first, config(pool("web", "b")));
        web.publish(late);

        assertThat(usable(web.snapshot())).containsExactly("b");
    }

    @Test
    void idsOfRemovedBackendsAreReusedAfterSettling() {
        Topology first = builder.build(config(pool("web", "a", "b")));
        TopologyChange change = builder.next(config(pool("web", "b", "c")), first);
        change.compile();
        change.commit();
        assertThat(backend(first.pool("web"), "c").id()).isEqualTo(2);
        change.releasePrevious();

        TopologyChange another = put(change.next(), config(pool("web", "b", "c", "d")));

        assertThat(backend(another.next().pool("web"), "d").id()).isZero();
    }

    @Test
    void abandonedChangeReleasesIds() {
        Topology first = builder.build(config(pool("web", "a")));
        builder.next(config(pool("web", "a", "b")), first).close();

        TopologyChange change = put(first, config(pool("web", "a", "c")));

        assertThat(change.joining().get(0).backend().id()).isEqualTo(1);
    }

    @Test
    void changedNameResolutionMovesBackend() {
        Topology first = builder.build(config(pool("web", "a", "b")));
        Backend a = backend(first.pool("web"), "a");
        port = 2000;
        unknownNames.add("b");

        TopologyChange change = put(first, config(pool("web", "a", "b")));

        assertThat(a.socketAddress()).isEqualTo(at("a", 2000));
        assertThat(backend(first.pool("web"), "b").socketAddress()).isEqualTo(at("b", 1000));
        assertThat(change.moves()).extracting(AddressMove::backend).containsExactly(a);
        assertThat(change.disconnecting()).containsExactly(a);
    }

    @Test
    void unresolvedNewBackendStartsDownWithWarning() {
        Topology first = builder.build(config(pool("web", "a")));
        unknownNames.add("b");

        TopologyChange change = put(first, config(pool("web", "a", "b")));

        assertThat(change.warnings())
                .containsExactly("web/b:80: no address found; the backend is down until one is found");
        assertThat(backend(first.pool("web"), "b").health().state()).isEqualTo(BackendState.DOWN);
        assertThat(first.pool("web").snapshot().usable()).hasSize(1);
    }

    @Test
    void newlyResolvedBackendIsChecked() {
        unknownNames.add("b");
        Topology first = builder.build(config(pool("web", "a", "b")));
        unknownNames.clear();

        TopologyChange change = put(first, config(pool("web", "a", "b")));

        Backend b = backend(first.pool("web"), "b");
        assertThat(change.moves()).extracting(AddressMove::text).containsExactly("resolved to 10.0.0.98");
        assertThat(b.socketAddress()).isEqualTo(at("b", 1000));
        assertThat(b.health().reason()).isEqualTo("not checked yet at 10.0.0.98");
    }

    @Test
    void changedConnectionSettingsReconnectAndKeepLimits() {
        Topology first = builder.build(config(pool("web", "a", "b")));
        PoolConfig limited = with(pool("web", "a", "b"), limit(1), QueueConfig.DEFAULT, /* strategy= */ null);

        TopologyChange change = put(first, config(limited));

        Backend a = backend(first.pool("web"), "a");
        assertThat(change.disconnecting()).extracting(Backend::toString).containsExactly("web/a:80", "web/b:80");
        assertThat(a.inFlight().tryBegin()).isTrue();
        assertThat(a.inFlight().tryBegin()).isFalse();
    }

    @Test
    void queueCanBeAddedResizedAndRemoved() {
        Topology first = builder.build(config(pool("web", "a")));
        Pool web = first.pool("web");
        assertThat(web.waitQueue()).isNull();

        TopologyChange change = put(first, config(queued(1)));
        WaitQueue queue = requireNonNull(web.waitQueue());
        assertThat(queue.join(new UnusedWaiter())).isTrue();
        assertThat(queue.join(new UnusedWaiter())).isFalse();
        change = put(change.next(), config(queued(2)));
        assertThat(web.waitingRequests()).isZero(); // the waiter received a free permit
        assertThat(queue.join(new UnusedWaiter())).isTrue();
        assertThat(queue.join(new UnusedWaiter())).isTrue();
        assertThat(queue.join(new UnusedWaiter())).isFalse();
        put(change.next(), config(pool("web", "a")));

        assertThat(web.waitQueue()).isSameAs(queue);
        assertThat(queue.join(new UnusedWaiter())).isFalse();
    }

    @Test
    void healthChangeInvalidatesCompiledSnapshot() {
        Topology first = builder.build(config(pool("web", "a")));
        Backend a = backend(first.pool("web"), "a");
        TopologyChange change = builder.next(config(pool("web", "a", "b")), first);
        change.compile();
        assertThat(change.isCurrent()).isTrue();

        a.health(new HealthStatus(
                BackendState.MAINTENANCE,
                Instant.EPOCH,
                HealthStatus.Origin.OPERATOR,
                "by order",
                HealthStatus.LastCheck.NONE));

        assertThat(change.isCurrent()).isFalse();
        change.compile();
        assertThat(change.isCurrent()).isTrue();
        change.commit();
        assertThat(first.pool("web").snapshot().usable())
                .extracting(member -> member.backend())
                .doesNotContain(a);
    }

    @Test
    void unchangedStrategyContinues() {
        Topology first = builder.build(config(pool("web", "a")));
        Pool web = first.pool("web");
        PoolSetup before = web.setup();

        TopologyChange change = put(first, config(pool("web", "a", "b")));
        assertThat(web.setup().strategy()).isSameAs(before.strategy());
        assertThat(web.setup().retryBudgets()).isSameAs(before.retryBudgets());
        PoolConfig random =
                with(pool("web", "a", "b"), BackendConnections.DEFAULT, QueueConfig.DEFAULT, StrategyKind.RANDOM);
        put(change.next(), config(random));

        assertThat(web.setup().strategy().kind()).isEqualTo(StrategyKind.RANDOM);
    }

    @ParameterizedTest
    @EnumSource(
            value = StrategyKind.class,
            names = {"LATENCY", "ROUND_ROBIN"})
    void checkTimesAreKeptForNextStrategy(StrategyKind before) {
        Topology first = builder.build(config(by(StrategyConfig.of(before))));
        Pool web = first.pool("web");
        answer(web, "a", 40);
        answer(web, "b", 4);
        LatencyConfig longer = new LatencyConfig(
                LatencyConfig.DEFAULT_ALPHA, Optional.empty(), 20, Duration.ofMinutes(5), /* learned= */ false);

        put(first, config(by(StrategyConfig.of(StrategyKind.LATENCY).withLatency(longer))));

        Picker picker = web.snapshot().picker();
        assertThat(List.of(picker.pick(new SeededRequest(1)), picker.pick(new SeededRequest(1))))
                .containsOnly(backend(web, "b"));
    }

    private PoolConfig by(StrategyConfig strategy) {
        return pool("web", "a", "b").toBuilder().strategy(strategy).build();
    }

    private static void answer(Pool pool, String host, int millis) {
        pool.onCheck(
                backend(pool, host),
                new HealthStatus.LastCheck(/* ok= */ true, Duration.ofMillis(millis), "connected"));
    }

    @Test
    void backendIsUpWhenChecksAreRemoved() {
        Topology first = builder.build(config(pool("web", "a")));
        Backend a = backend(first.pool("web"), "a");
        a.health(new HealthStatus(
                BackendState.DOWN, Instant.EPOCH, HealthStatus.Origin.CHECK, "refused", HealthStatus.LastCheck.NONE));

        put(first, config(unchecked(pool("web", "a"))));

        assertThat(a.health().state()).isEqualTo(BackendState.UP);
        assertThat(a.health().reason()).isEqualTo("no longer checked: checks are off in the configuration");
    }

    @Test
    void removedPoolRemovesItsBackends() {
        Topology first = builder.build(config(pool("web", "a"), pool("api", "a", "b")));

        TopologyChange change = put(first, config(pool("web", "a")));

        assertThat(change.leaving()).extracting(Backend::toString).containsExactly("api/a:80", "api/b:80");
        assertThat(usable(first.pool("api").snapshot()))
                .containsExactly("a", "b"); // queued requests of the removed pool still need these backends
    }

    private static final class UnusedWaiter extends WaitQueue.Waiter {
        @Override
        protected void onPermit(Backend backend) {}

        @Override
        protected void onNoBackendUp() {}
    }

    private TopologyChange put(Topology running, Map<String, PoolConfig> configs) {
        TopologyChange change = builder.next(configs, running);
        change.compile();
        change.commit();
        change.releasePrevious();
        return change;
    }

    private static Map<String, PoolConfig> config(PoolConfig... pools) {
        Map<String, PoolConfig> byName = new LinkedHashMap<>();
        for (PoolConfig pool : pools) {
            byName.put(pool.name(), pool);
        }
        return byName;
    }

    private PoolConfig pool(String name, String... hosts) {
        List<BackendConfig> backends = Arrays.stream(hosts)
                .map(host -> new BackendConfig(new HostPort(host, 80), 1, 0))
                .toList();
        return PoolConfig.builder(name)
                .strategy(template.strategy())
                .backends(backends)
                .health(template.health())
                .build();
    }

    private static PoolConfig unchecked(PoolConfig pool) {
        return pool.toBuilder().health(Pools.UNCHECKED).build();
    }

    private PoolConfig queued(int size) {
        return with(
                pool("web", "a"),
                BackendConnections.DEFAULT,
                new QueueConfig(size, Duration.ofSeconds(1)),
                /* strategy= */ null);
    }

    private static PoolConfig with(
            PoolConfig pool, BackendConnections connections, QueueConfig queue, @Nullable StrategyKind strategy) {
        return pool.toBuilder()
                .strategy(strategy == null ? pool.strategy() : StrategyConfig.of(strategy))
                .connections(connections)
                .queue(queue)
                .build();
    }

    private static PoolConfig slow(PoolConfig pool) {
        return pool.toBuilder().slowStart(Duration.ofSeconds(30)).build();
    }

    private static BackendConnections limit(int max) {
        BackendConnections common = BackendConnections.DEFAULT;
        return new BackendConnections(
                common.connectTimeout(),
                common.responseTimeout(),
                common.bodyIdleTimeout(),
                common.idleTimeout(),
                common.maxAge(),
                common.maxIdlePerLoop(),
                max,
                common.maxConnections(),
                common.attempts(),
                common.pipelining(),
                common.responseLimits(),
                common.protocol(),
                common.proxyHeader(),
                common.reuse());
    }

    private static Backend backend(Pool pool, String host) {
        return pool.members().stream()
                .map(Member::backend)
                .filter(each -> each.address().toString().startsWith(host + ":"))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> names(Pool pool) {
        return names(pool.members());
    }

    private static List<String> usable(PoolSnapshot snapshot) {
        return names(snapshot.usable());
    }

    private static List<String> names(List<Member> members) {
        return members.stream()
                .map(member -> ((HostPort) member.backend().address()).host())
                .toList();
    }
}
