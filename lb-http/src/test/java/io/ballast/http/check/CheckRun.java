package io.ballast.http.check;

import io.ballast.core.config.Address;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.CheckSecurity;
import io.ballast.core.config.CheckTls;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.UnixSocket;
import io.ballast.core.health.ProbeResult;
import io.ballast.core.pool.Pool;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.Pools;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Workers;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.transport.NettyTransport;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Runs one check of one address on its own workers. */
final class CheckRun {

    private static final BackendTls INSECURE =
            new BackendTls(Optional.empty(), Optional.empty(), Optional.empty(), /* insecure= */ true);

    private CheckRun() {}

    /** An event to await in addition to the result. */
    @FunctionalInterface
    interface Awaited {

        void await() throws Exception;
    }

    static ProbeResult of(Address target, HealthCheck check) throws Exception {
        return of(TransportKind.NIO, target, check, TestTimeout.LIMIT);
    }

    static ProbeResult of(Address target, HealthCheck check, Awaited behind) throws Exception {
        return of(
                NettyTransport.choose(TransportKind.NIO),
                target,
                check,
                TestTimeout.LIMIT,
                /* searches= */ Runnable::run,
                behind);
    }

    static ProbeResult of(TransportKind transport, Address target, HealthCheck check, Duration timeout)
            throws Exception {
        return of(NettyTransport.choose(transport), target, check, timeout, /* searches= */ Runnable::run);
    }

    static ProbeResult of(
            NettyTransport transport, Address target, HealthCheck check, Duration timeout, Executor searches)
            throws Exception {
        return of(transport, target, check, timeout, searches, () -> {});
    }

    /**
     * @param behind the event to await after the result, because io_uring loops may end before they close a connection
     */
    static ProbeResult of(
            NettyTransport transport,
            Address target,
            HealthCheck check,
            Duration timeout,
            Executor searches,
            Awaited behind)
            throws Exception {
        return of(transport, target, check, timeout, searches, PoolTls.NONE, behind);
    }

    /** Runs a TLS check that trusts all certificates. */
    static ProbeResult secured(
            Address target, Function<CheckTls, HealthCheck> check, UnaryOperator<HealthCheck> around, Awaited behind)
            throws Exception {
        HealthCheck request = check.apply(CheckTls.own(INSECURE));
        Pool pool = Pools.pool(
                "secured",
                new HealthConfig(request, TestTimeout.LIMIT, TestTimeout.LIMIT, /* rise= */ 1, /* fall= */ 1),
                Backends.unchecked(0, "secured"));
        HealthCheck.Secured secured = CheckSecurity.of(pool.config())
                .map(by -> new HealthCheck.Secured(request, by.tls(), by.protocol(), target))
                .orElseThrow();
        try (PoolTls tls = PoolTls.open(new PoolTls.Inputs(List.of(), Map.of(pool.name(), pool.config()), List.of()))) {
            return of(
                    NettyTransport.choose(TransportKind.NIO),
                    target,
                    around.apply(secured),
                    TestTimeout.LIMIT,
                    /* searches= */ Runnable::run,
                    tls,
                    behind);
        }
    }

    private static ProbeResult of(
            NettyTransport transport,
            Address target,
            HealthCheck check,
            Duration timeout,
            Executor searches,
            PoolTls tls,
            Awaited behind)
            throws Exception {
        CompletableFuture<ProbeResult> result = new CompletableFuture<>();
        try (Workers workers = Workers.start(transport, 1, new SplittableRandom(1))) {
            new SocketProbe(workers, tls, searches)
                    .start(socketAddress(target), check, /* hostHeader= */ "host:1", timeout, result::complete);
            ProbeResult found = result.get(TestTimeout.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            behind.await();
            return found;
        }
    }

    static SocketAddress socketAddress(Address target) {
        return target instanceof HostPort host
                ? new InetSocketAddress(host.host(), host.port())
                : UnixDomainSocketAddress.of(((UnixSocket) target).path());
    }
}
