package io.ballast.agent.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ballast.agent.config.AgentsConfig;
import io.ballast.core.backend.AgentReport.State;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.agent.AgentApproval;
import io.ballast.core.config.agent.AgentToken;
import io.ballast.core.config.agent.AgentTokenHash;
import io.ballast.core.config.agent.PoolAgents;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

/** A registry of agents with two pools, a clock that tests set, and recorded events. */
abstract class RegistryFixture {

    static final String TOKEN = "token of rack 1";
    static final String SECRET = "secret of a1";
    static final String HASH = Hashes.sha256(SECRET);
    static final String CLIENT = "10.0.1.5";
    static final BackendKey FIRST = key("web", 1);

    final Map<String, PoolAgents> pools =
            new LinkedHashMap<>(Map.of("web", pool(AgentApproval.AUTO, 3, token("rack1", TOKEN, Optional.empty()))));
    final Set<BackendKey> successfulChecks = new HashSet<>();
    final List<String> events = new ArrayList<>();
    final List<String> registered = new ArrayList<>();
    int changes;
    int saves;
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    long nanos;
    AgentRegistry registry = registry(3);

    // ---- registration

    AgentRegistry registry(int maxAgents) {
        return new AgentRegistry(
                new AgentsConfig(
                        new HostPort("127.0.0.1", 0),
                        Optional.empty(),
                        AgentsConfig.DEFAULT_STALE,
                        AgentsConfig.DEFAULT_FORGET,
                        maxAgents,
                        /* latency= */ false),
                () -> pools,
                () -> now,
                () -> nanos,
                successfulChecks::contains,
                new RegistryListener() {
                    @Override
                    public void onBackendsChanged() {
                        changes++;
                    }

                    @Override
                    public void onStateChanged() {
                        saves++;
                    }

                    @Override
                    public void onRegistered(AgentIdentity identity) {
                        registered.add(identity.id());
                    }

                    @Override
                    public void onEvent(String subject, String text) {
                        events.add(subject + ": " + text);
                    }
                });
    }

    void report(ReportedBackend... backends) {
        assertThat(registry.report("a1", SECRET, List.of(backends), "", CLIENT))
                .extracting(AgentRegistry.Result::refusal)
                .containsOnly("");
    }

    void advance(Duration time) {
        now = now.plus(time);
        nanos += time.toNanos();
        registry.tick();
    }

    List<BackendKey> joined() {
        return registry.backends().pools().values().stream()
                .flatMap(List::stream)
                .map(AgentBackends.Entry::key)
                .toList();
    }

    AgentBackends.Entry entry(BackendKey key) {
        return registry.backends().pools().values().stream()
                .flatMap(List::stream)
                .filter(each -> each.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    State state(BackendKey key) {
        return entry(key).report().state();
    }

    int tenths(BackendKey key) {
        return entry(key).report().weightTenths();
    }

    static AgentRefusal refusal(Callable<?> request) {
        return catchThrowableOfType(AgentRefusal.class, request::call);
    }

    static ReportedBackend up(BackendKey key) {
        return backend(key, State.UP, 10);
    }

    static ReportedBackend backend(BackendKey key, State state, int tenths) {
        return new ReportedBackend(key, 1, state, "", tenths);
    }

    static BackendKey key(String pool, int number) {
        return new BackendKey(pool, new HostPort("10.0.0." + number, 80));
    }

    static PoolAgents pool(AgentApproval approval, int maxBackends, AgentToken... tokens) {
        return new PoolAgents(List.of(tokens), maxBackends, approval, PoolAgents.DEFAULT_MAX_DRAINED_PERCENT);
    }

    static AgentToken token(String name, String text, Optional<Instant> expires) {
        return new AgentToken(name, new AgentTokenHash(Hashes.sha256(text)), expires);
    }
}
