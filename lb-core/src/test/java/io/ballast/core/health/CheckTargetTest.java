package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.Address;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.BodyCheck;
import io.ballast.core.config.CheckAddress;
import io.ballast.core.config.CheckTls;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.SentProxyHeader;
import io.ballast.core.net.IpAddress;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.Connections;
import io.ballast.core.testing.Pools;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Tests the target of checks, and which pools share a check. */
class CheckTargetTest {

    private static final BackendTls INSECURE =
            new BackendTls(Optional.empty(), Optional.empty(), Optional.empty(), /* insecure= */ true);

    @Test
    void configuredPortAndAddressReplaceBackendAddress() {
        CheckAddress port = new CheckAddress(Optional.empty(), OptionalInt.of(9000));
        CheckAddress both = new CheckAddress(Optional.of(IpAddress.parse("2001:db8::1")), OptionalInt.of(9000));

        assertThat(target(pool("a", http(CheckTls.OF_POOL), Optional.empty(), port)))
                .returns(new InetSocketAddress("10.0.0.1", 9000), CheckTarget::address)
                .returns("10.0.0.1:9000", CheckTarget::host);
        assertThat(target(pool("a", http(CheckTls.OF_POOL), Optional.empty(), both)))
                .returns(new InetSocketAddress("2001:db8::1", 9000), CheckTarget::address)
                .returns("[2001:db8::1]:9000", CheckTarget::host);
    }

    @Test
    void healthPortOfBackendOverridesPool() {
        CheckAddress both = new CheckAddress(Optional.of(IpAddress.parse("10.9.9.9")), OptionalInt.of(9000));
        Backend first = Backends.unchecked(0, "a");
        Address second = new HostPort("10.0.0.77", 5432);
        PoolConfig pool = pool("a", http(CheckTls.ALWAYS), Optional.empty(), both).toBuilder()
                .backends(List.of(
                        new BackendConfig(
                                first.address(),
                                1,
                                0,
                                /* backup= */ false,
                                /* region= */ Optional.empty(),
                                OptionalInt.of(8008)),
                        new BackendConfig(second, 1, 0)))
                .build();

        assertThat(CheckAddresses.of(pool).of(second)).isEqualTo(both);
        assertThat(target(pool))
                .returns(new InetSocketAddress("10.9.9.9", 8008), CheckTarget::address)
                .returns("10.9.9.9:8008", CheckTarget::host)
                .extracting(CheckTarget::check)
                .isInstanceOfSatisfying(
                        HealthCheck.Secured.class,
                        secured -> assertThat(secured.backend()).hasToString("10.9.9.9:8008"));
    }

    @Test
    void poolsWithEqualChecksAndTlsShareCheck() {
        CheckTarget one =
                target(pool("a", http(CheckTls.OF_POOL), Optional.of(INSECURE), CheckAddress.SAME_AS_BACKEND));

        assertThat(target(pool("b", http(CheckTls.OF_POOL), Optional.of(INSECURE), CheckAddress.SAME_AS_BACKEND)))
                .isEqualTo(one);
        assertThat(target(pool(
                        "b", http(CheckTls.OF_POOL), Optional.of(BackendTls.DEFAULT), CheckAddress.SAME_AS_BACKEND)))
                .as("another TLS")
                .isNotEqualTo(one);
        assertThat(target(pool("b", http(CheckTls.NEVER), Optional.of(INSECURE), CheckAddress.SAME_AS_BACKEND)))
                .as("no TLS")
                .isNotEqualTo(one);
    }

    @Test
    void checkUsesTlsOfPoolUnlessOverridden() {
        assertThat(tls(CheckTls.OF_POOL, Optional.empty())).isEmpty();
        assertThat(tls(CheckTls.OF_POOL, Optional.of(INSECURE))).contains(INSECURE);
        assertThat(tls(CheckTls.ALWAYS, Optional.empty())).contains(BackendTls.DEFAULT);
        assertThat(tls(CheckTls.ALWAYS, Optional.of(INSECURE))).contains(INSECURE);
        assertThat(tls(CheckTls.NEVER, Optional.of(INSECURE))).isEmpty();
        assertThat(tls(CheckTls.own(INSECURE), Optional.of(BackendTls.DEFAULT))).contains(INSECURE);
        assertThat(tls(CheckTls.own(INSECURE), Optional.empty())).contains(INSECURE);
    }

    @Test
    void checkUsesProxyHeaderOfPool() {
        CheckAddress port = new CheckAddress(Optional.empty(), OptionalInt.of(9000));

        assertThat(proxied(new HealthCheck.Tcp(), Optional.empty(), CheckAddress.SAME_AS_BACKEND))
                .contains(SentProxyHeader.V2);
        assertThat(proxied(new HealthCheck.Tcp(), Optional.empty(), port))
                .as("another port speaks for itself")
                .isEmpty();
        assertThat(proxied(new HealthCheck.Tcp(), Optional.of(SentProxyHeader.V1), port))
                .contains(SentProxyHeader.V1);
        assertThat(proxied(new HealthCheck.Tcp(), Optional.of(SentProxyHeader.NONE), CheckAddress.SAME_AS_BACKEND))
                .isEmpty();
    }

    @Test
    void proxyHeaderPrecedesTls() {
        assertThat(target(proxied("a", http(CheckTls.ALWAYS), Optional.empty(), CheckAddress.SAME_AS_BACKEND))
                        .check())
                .isInstanceOfSatisfying(
                        HealthCheck.Proxied.class,
                        proxied -> assertThat(proxied.request()).isInstanceOf(HealthCheck.Secured.class));
        for (HealthCheck check : List.of(
                new HealthCheck.Dns("example.com", "A", List.of("NOERROR"), List.of()),
                new HealthCheck.Exec(List.of("/bin/true")))) {
            assertThat(proxied(check, Optional.empty(), CheckAddress.SAME_AS_BACKEND))
                    .isEmpty();
        }
    }

    private static Optional<SentProxyHeader> proxied(
            HealthCheck check, Optional<SentProxyHeader> own, CheckAddress at) {
        return target(proxied("a", check, own, at)).check() instanceof HealthCheck.Proxied proxied
                ? Optional.of(proxied.version())
                : Optional.empty();
    }

    /** Returns a pool whose connections begin with a PROXY protocol header of version 2. */
    private static PoolConfig proxied(String name, HealthCheck check, Optional<SentProxyHeader> own, CheckAddress at) {
        Duration second = Duration.ofSeconds(1);
        return pool(name, check, Optional.empty(), at).toBuilder()
                .health(new HealthConfig(
                        check, second, second, second, /* rise= */ 1, /* fall= */ 1, at, /* lazy= */ false, own))
                .connections(new Connections().proxyHeader(SentProxyHeader.V2).build())
                .build();
    }

    private static Optional<BackendTls> tls(CheckTls check, Optional<BackendTls> pool) {
        return target(pool("a", http(check), pool, CheckAddress.SAME_AS_BACKEND))
                                .check()
                        instanceof HealthCheck.Secured secured
                ? Optional.of(secured.settings())
                : Optional.empty();
    }

    private static HealthCheck http(CheckTls tls) {
        return new HealthCheck.Http("GET", "/", Optional.empty(), List.of(), List.of(), BodyCheck.ANY, tls);
    }

    private static PoolConfig pool(String name, HealthCheck check, Optional<BackendTls> tls, CheckAddress at) {
        Duration second = Duration.ofSeconds(1);
        HealthConfig health = new HealthConfig(check, second, second, second, 1, 1, at);
        return Pools.pool(name, health, Backends.unchecked(0, name)).config().toBuilder()
                .tls(tls)
                .build();
    }

    private static CheckTarget target(PoolConfig pool) {
        Backend backend = Backends.unchecked(0, pool.name());
        CheckAddress at = CheckAddresses.of(pool).of(backend.address());
        return CheckTarget.of(backend, pool.health(), CheckTarget.check(pool, backend.address(), at), at);
    }
}
