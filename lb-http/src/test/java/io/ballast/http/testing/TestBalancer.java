package io.ballast.http.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.config.UnixSocket;
import io.ballast.core.control.PreparedChange;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.core.pool.TopologyBuilder;
import io.ballast.core.pool.TopologyChange;
import io.ballast.http.FrontendChange;
import io.ballast.http.HttpFrontend;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Worker;
import io.ballast.http.net.Workers;
import io.ballast.http.relay.Failure;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * An HTTP frontend on a free loopback port with a pool named {@code pool}. Made by {@link BalancerSetup}.
 *
 * <p>Closing it checks that there are no open connections, running requests, exchanges in flight or buffers.
 */
public final class TestBalancer implements AutoCloseable {

    private static final long STANDSTILL_BYTES = 32 * 1024;
    private static final int STANDSTILL_ROUNDS = 50;

    private final TopologyBuilder builder;
    private final Workers workers;
    private final HttpFrontend frontend;
    private final PoolTls pools;
    private final Queue<String> connectErrors;
    private volatile Topology topology;

    TestBalancer(
            TopologyBuilder builder,
            Topology topology,
            Workers workers,
            HttpFrontend frontend,
            PoolTls pools,
            Queue<String> connectErrors) {
        this.builder = builder;
        this.topology = topology;
        this.workers = workers;
        this.frontend = frontend;
        this.pools = pools;
        this.connectErrors = connectErrors;
    }

    /** Reloads with another setup; returns the warnings. */
    public List<String> reload(BalancerSetup next) throws IOException {
        return reload(next, () -> {});
    }

    /** Reloads with another setup; runs {@code prepared} after the preparation and before any change. */
    public List<String> reload(BalancerSetup next, Runnable prepared) throws IOException {
        return reload(next, prepared, () -> {});
    }

    /** Reloads with another setup; runs {@code halfWay} when the new pools are active and the new routes are not. */
    public List<String> reload(BalancerSetup next, Runnable prepared, Runnable halfWay) throws IOException {
        try (PreparedChange tls = pools.prepare(next.tlsInputs());
                TopologyChange backends = builder.next(next.pools(), topology);
                FrontendChange listeners = frontend.prepare(next.config(), backends.next(), next.policies())) {
            prepared.run();
            backends.compile();
            tls.commit();
            backends.commit();
            halfWay.run();
            listeners.commit();
            topology = backends.next();
            topology.poolList().forEach(Pool::refresh);
            frontend.retire(backends.disconnecting()).join();
            goRound();
            tls.releasePrevious();
            backends.releasePrevious();
            listeners.releasePrevious();
            return listeners.warnings();
        }
    }

    /** Prepares another setup, then discards it. */
    public void abandon(BalancerSetup next) throws IOException {
        try (PreparedChange tls = pools.prepare(next.tlsInputs());
                TopologyChange backends = builder.next(next.pools(), topology);
                FrontendChange listeners = frontend.prepare(next.config(), backends.next(), next.policies())) {
            goRound();
        }
    }

    /** Connects a new client. */
    public RawClient client() {
        return listener().config().bind() instanceof UnixSocket socket
                ? RawClient.connect(socket)
                : RawClient.connect(port());
    }

    /**
     * Runs {@code clients} threads that send the request {@code requests} times each; all responses must have status
     * 200.
     */
    public void queryConcurrently(int clients, int requests, String request) {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            running.add(CompletableFuture.runAsync(
                    () -> {
                        try (RawClient client = client()) {
                            for (int n = 0; n < requests; n++) {
                                assertThat(client.send(request).read().status()).isEqualTo(200);
                            }
                        }
                    },
                    task -> new Thread(task).start()));
        }
        running.forEach(CompletableFuture::join);
    }

    public int port() {
        return frontend.port(0);
    }

    public HttpFrontend frontend() {
        return frontend;
    }

    /** The connect errors of backends, in order. */
    public List<String> connectErrors() {
        return List.copyOf(connectErrors);
    }

    public Workers workers() {
        return workers;
    }

    public Listener listener() {
        return frontend.listeners().get(0);
    }

    public Pool pool() {
        return pool(BalancerSetup.POOL);
    }

    public Pool pool(String name) {
        return topology.pool(name);
    }

    /** Returns the pool's backend number {@code index}. */
    public Backend backend(int index) {
        return pool().members().get(index).backend();
    }

    /** Marks these backends of the pool as down. */
    public void goDown(int... indices) {
        for (int index : indices) {
            backend(index)
                    .health(new HealthStatus(
                            BackendState.DOWN,
                            Instant.EPOCH,
                            HealthStatus.Origin.CHECK,
                            "connection refused",
                            HealthStatus.LastCheck.NONE));
        }
        pool().refresh();
    }

    public long count(ListenerCounter counter) {
        return listener().counters().sum(counter);
    }

    public long count(Failure failure) {
        return listener().failures().sum(failure);
    }

    /** Returns a counter of the first backend. */
    public long count(BackendCounter counter) {
        return backend(0).stats().sum(counter);
    }

    /** Bytes of buffers in use. */
    public long buffersInUse() {
        return ((PooledByteBufAllocator) workers.allocator()).pinnedDirectMemory();
    }

    /** Waits until the condition holds; checks it after each turn of the event loops. */
    public void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TestTimeout.LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("did not happen: " + what);
            }
            goRound();
        }
    }

    /** Waits until a number has grown and then stays the same for many turns of the event loops. */
    public void awaitStandstill(LongSupplier number) {
        awaitStandstill(number, STANDSTILL_BYTES);
    }

    /** Waits until a number exceeds {@code min} and then stays the same. */
    public void awaitStandstill(LongSupplier number, long min) {
        await("growth", () -> number.getAsLong() > min);
        long last = -1;
        for (int rounds = 0; rounds < STANDSTILL_ROUNDS; rounds++) {
            goRound();
            if (number.getAsLong() != last) {
                last = number.getAsLong();
                rounds = 0;
            }
        }
    }

    /** Waits for one turn of all event loops. */
    public void goRound() {
        for (Worker worker : workers.all()) {
            worker.eventLoop().schedule(() -> {}, 1, TimeUnit.MILLISECONDS).awaitUninterruptibly();
        }
    }

    /** Waits until no client is connected and nothing is in flight. */
    public void awaitQuiet() {
        await("all clients gone", () -> listener().openConnections() == 0);
        awaitQuietBackends();
    }

    /** Waits until nothing is in flight. */
    public void awaitQuietBackends() {
        await(
                "nothing in flight",
                () -> pool().members().stream()
                        .allMatch(member -> member.backend().inFlight().count() == 0));
    }

    @Override
    public void close() {
        try {
            frontend.close();
            awaitQuiet();
            assertThat(count(ListenerCounter.REQUESTS_COMPLETED))
                    .as("finished requests")
                    .isEqualTo(count(ListenerCounter.REQUESTS));
        } finally {
            workers.close();
            pools.close();
        }
        if (buffersInUse() != 0) {
            throw new AssertionError("bytes of buffers in use at the end: " + buffersInUse());
        }
    }
}
