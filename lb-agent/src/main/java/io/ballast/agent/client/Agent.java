package io.ballast.agent.client;

import io.ballast.agent.config.AgentConfig;
import io.ballast.agent.latency.ClientTimes;
import io.ballast.agent.latency.SocketCommand;
import io.ballast.agent.load.LoadSampler;
import io.ballast.agent.load.LoadValues;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.HealthMonitor;
import io.ballast.core.health.Probe;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.core.pool.TopologyBuilder;
import io.ballast.dashboard.json.JsonWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Checks the backends of this machine, measures the load, and reports both to the nodes. If an operator of a node
 * drains a backend, the agent reports the drain to all nodes.
 *
 * <p>Thread safety: any thread may call the public methods; all other code runs on the thread of the control plane.
 */
public final class Agent implements AutoCloseable {

    private static final Duration TICK = Duration.ofSeconds(1);

    /** The time between two measurements of the round-trip times of clients. */
    private static final Duration LATENCY_INTERVAL = Duration.ofSeconds(30);

    private final AgentConfig config;
    private final ControlPlane control;
    private final LongSupplier nanoTime;
    private final LoadSampler sampler;
    private final CountedProbe probe;
    private final HealthMonitor health;
    private final List<LocalBackend> backends = new ArrayList<>();
    private final NodeLinks links;
    private final NodeMessages messages;
    private final Optional<SocketCommand> sockets;
    private byte[] lastReport = new byte[0];
    private boolean isStopping;
    private volatile boolean isClosed;

    /**
     * @param probe runs the checks
     * @param nanoTime a clock that never jumps
     * @param api creates the API of a node
     */
    Agent(
            AgentConfig config,
            ControlPlane control,
            Probe probe,
            RandomGenerator random,
            LongSupplier nanoTime,
            LoadSampler sampler,
            Function<URI, NodeApi> api) {
        this.config = config;
        this.control = control;
        this.nanoTime = nanoTime;
        this.sampler = sampler;
        this.probe = new CountedProbe(probe, control);
        this.health = new HealthMonitor(control, this.probe, random);
        this.messages = new NodeMessages(this);
        this.sockets =
                config.latency() ? Optional.of(new SocketCommand(new ClientTimes(config), nanoTime)) : Optional.empty();
        List<NodeLink> all = new ArrayList<>();
        config.nodes()
                .forEach(node -> all.add(new NodeLink(
                        node.toString(),
                        api.apply(node),
                        control,
                        this::report,
                        config.heartbeat(),
                        random,
                        messages)));
        this.links = new NodeLinks(control, config.reportTo(), all);
    }

    NodeLinks links() {
        return links;
    }

    /** Starts the checks and the reports. */
    void start() {
        Topology topology = new TopologyBuilder(
                        address -> new InetSocketAddress(address.host(), address.port()),
                        /* shards= */ 1,
                        control.clock())
                .build(AgentPools.of(config));
        int number = 0;
        for (Pool pool : topology.poolList()) {
            backends.add(new LocalBackend(
                    config.register().get(number++), pool.members().get(0).backend()));
            pool.onRefresh(snapshot -> update());
        }
        health.watch(topology);
        control.execute(() -> {
            lastReport = report();
            links.start();
            tick();
            sampleLatency();
        });
    }

    private void sampleLatency() {
        if (sockets.isEmpty() || isClosed) {
            return;
        }
        sockets.get().sample(documents -> control.execute(() -> documents.forEach(links::sendLatency)));
        control.schedule(this::sampleLatency, LATENCY_INTERVAL);
    }

    private void tick() {
        if (isClosed) {
            return;
        }
        long now = nanoTime.getAsLong();
        LoadValues values = sampler.sample(now);
        backends.forEach(
                backend -> backend.update(values.withErrors(probe.failedPercent(backend.checkedAddress())), now));
        messages.tick(now);
        update();
        control.schedule(this::tick, TICK);
    }

    /** Reports the backends again if something has changed. */
    void update() {
        byte[] next = report();
        if (!Arrays.equals(next, lastReport)) {
            lastReport = next;
            links.changed();
        }
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    private byte[] report() {
        ByteBuf document = JsonWriter.write(json -> json.object(() -> json.array(
                "backends",
                () -> backends.forEach(each -> each.write(
                        json,
                        isStopping
                                || messages.wantsDrain(
                                        each.config().pool(),
                                        each.config().address().toString()))))));
        try {
            return ByteBufUtil.getBytes(document);
        } finally {
            document.release();
        }
    }

    /**
     * Drains the backends, waits for the configured time, and removes them from the nodes. The future also completes if
     * no node responds. If no node is connected, the backends are removed without the wait.
     */
    public CompletableFuture<Void> stop() {
        return control.call(() -> {
            isStopping = true;
            update();
            CompletableFuture<Void> done = new CompletableFuture<>();
            Duration wait = links.isAnyConnected() ? config.drainTime() : Duration.ZERO;
            control.schedule(
                    () -> {
                        CompletableFuture<Void> unused =
                                links.deregister().whenComplete((ok, failure) -> done.complete(null));
                    },
                    wait);
            return done;
        });
    }

    /** Stops at once, without notifying the nodes. */
    @Override
    public void close() {
        isClosed = true;
        health.close();
        sockets.ifPresent(SocketCommand::close);
        control.close();
    }
}
