package io.ballast.agent.node;

import io.ballast.agent.config.AgentsConfig;
import io.ballast.agent.registry.AgentAdoption;
import io.ballast.agent.registry.AgentIdentity;
import io.ballast.agent.registry.AgentRegistry;
import io.ballast.agent.registry.RegistryListener;
import io.ballast.agent.registry.RuntimeToken;
import io.ballast.dashboard.server.AdminServer;
import io.ballast.dashboard.server.Authenticator;
import io.ballast.dashboard.server.Endpoint;
import io.ballast.dashboard.server.EndpointConfig;
import io.ballast.dashboard.source.AgentDirectory;
import io.ballast.dashboard.source.DnsServices.RoundTrip;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agents of this node: the server to which they report, their registry, and their effect on the pools. All work
 * runs on a separate thread.
 *
 * <p>Thread safety: any thread may call any method.
 */
public final class AgentNode implements AgentDirectory, AgentSharing.Target, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AgentNode.class);
    private static final Duration TICK = Duration.ofSeconds(1);

    /** The time for which changed backends are collected before they are applied together. */
    private static final Duration GATHERING = Duration.ofMillis(10);

    /** The time for which changes are collected before they are stored together. */
    private static final Duration SAVE_DELAY = Duration.ofMillis(500);

    /** Connections in addition to two for each agent: a report and a request that waits for commands. */
    private static final int SPARE_CONNECTIONS = 256;

    private final AdminServer server = new AdminServer("agents");
    private final EventLoop loop = server.loop();
    private final AgentsConfig config;
    private final NodeBackends node;
    private final AgentStore store;
    private final AgentSharing sharing;
    private final AgentRegistry registry;
    private final CommandPolls polls;
    private final LongSupplier nanoTime;
    private final Endpoint endpoint;
    private long latencies;
    private boolean applyScheduled;
    private boolean saveScheduled;
    private volatile Counts counts = Counts.NONE;

    private AgentNode(
            AgentsConfig config,
            NodeBackends node,
            AgentStore store,
            AgentSharing sharing,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.config = config;
        this.node = node;
        this.store = store;
        this.sharing = sharing;
        this.nanoTime = nanoTime;
        this.registry =
                new AgentRegistry(config, node::pools, clock, nanoTime, node::checksSucceed, new ChangeListener());
        this.polls = new CommandPolls(node::wanted);
        int connections = 2 * config.maxAgents() + SPARE_CONNECTIONS;
        this.endpoint = server.addEndpoint(
                new AgentRoutes(config, registry, polls, this::learn, nanoTime).router(),
                Authenticator.OPEN,
                () -> {},
                connections,
                connections);
    }

    /**
     * Restores the agents, applies their backends, and starts to listen.
     *
     * @param sharing shares the agents with the nodes of a cluster
     * @param nanoTime a clock that never jumps
     * @throws IOException if the address or a file cannot be used; the message names it
     */
    public static AgentNode start(
            AgentsConfig config,
            NodeBackends node,
            AgentStore store,
            AgentSharing sharing,
            InstantSource clock,
            LongSupplier nanoTime)
            throws IOException {
        AgentNode started = new AgentNode(config, node, store, sharing, clock, nanoTime);
        try {
            started.call(() -> {
                        started.registry.restore(store.read());
                        AgentAdoption known = started.registry.adoption();
                        sharing.start(started, known.identities(), known.tokens());
                        return started.apply();
                    })
                    .thenCompose(applied -> applied)
                    .join();
            started.endpoint.start(new EndpointConfig(
                    "agents", config.bind(), config.tls(), EndpointConfig.Audience.EVERYONE, List.of()));
        } catch (IOException | RuntimeException e) {
            started.close();
            throw e;
        }
        started.loop.scheduleAtFixedRate(started::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
        return started;
    }

    /** Returns the bound address with the real port. */
    public InetSocketAddress address() {
        return endpoint.address().orElseThrow();
    }

    /** Applies changed settings of the pools. Must be called after each change. */
    public void poolsChanged() {
        loop.execute(registry::poolsChanged);
    }

    private void tick() {
        try {
            registry.tick();
            polls.tick(nanoTime.getAsLong());
            counts = registry.counts(latencies);
        } catch (RuntimeException e) {
            LOG.error("cannot update the agents", e);
        }
    }

    // ---- effects

    private final class ChangeListener implements RegistryListener {

        @Override
        public void onBackendsChanged() {
            if (!applyScheduled) {
                applyScheduled = true;
                loop.schedule(
                        () -> {
                            if (applyScheduled) {
                                CompletableFuture<Void> unused = apply();
                            }
                        },
                        GATHERING.toMillis(),
                        TimeUnit.MILLISECONDS);
            }
        }

        @Override
        public void onStateChanged() {
            if (!saveScheduled) {
                saveScheduled = true;
                loop.schedule(
                        () -> {
                            if (saveScheduled) {
                                CompletableFuture<Void> unused = save();
                            }
                        },
                        SAVE_DELAY.toMillis(),
                        TimeUnit.MILLISECONDS);
            }
        }

        @Override
        public void onEvent(String subject, String text) {
            node.record(subject, text);
        }

        @Override
        public void onRegistered(AgentIdentity identity) {
            sharing.registered(identity);
        }

        @Override
        public void onIdentityChanged(AgentIdentity identity) {
            sharing.changed(identity);
        }

        @Override
        public void onDropped(String id) {
            sharing.dropped(id);
        }

        @Override
        public void onTokenChanged(RuntimeToken token) {
            sharing.tokenChanged(token);
        }
    }

    private void learn(List<RoundTrip> times) {
        latencies += times.size();
        node.learn(times);
    }

    private CompletableFuture<Void> apply() {
        applyScheduled = false;
        counts = registry.counts(latencies);
        return node.apply(registry.backends());
    }

    private CompletableFuture<Void> save() {
        saveScheduled = false;
        return store.write(registry.saved());
    }

    /** Applies and stores all changes so far. */
    private CompletableFuture<Void> settle() {
        return CompletableFuture.allOf(apply(), save());
    }

    // ---- the cluster

    @Override
    public void adopt(String id, Optional<AgentIdentity> identity, boolean isShared) {
        execute(() -> {
            registry.adoption().adopt(id, identity, isShared);
            if (identity.filter(present -> !present.isRevoked()).isEmpty()) {
                polls.end(id);
            }
        });
    }

    @Override
    public void adoptToken(String hash, Optional<RuntimeToken> token) {
        execute(() -> registry.adoption().adoptToken(hash, token));
    }

    private void execute(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("the agents are closed");
        }
    }

    // ---- operators

    private <T> CompletableFuture<T> call(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, loop);
    }

    @Override
    public CompletableFuture<List<Agent>> agents() {
        return call(registry::list);
    }

    @Override
    public CompletableFuture<List<Token>> tokens() {
        return call(registry::tokenList);
    }

    @Override
    public CompletableFuture<Optional<Agent>> approve(String id, String who) {
        return settled(() -> registry.approve(id, who) ? registry.find(id) : Optional.empty());
    }

    @Override
    public CompletableFuture<Optional<Agent>> revoke(String id, String who) {
        return settled(() -> {
            boolean found = registry.revoke(id, who);
            polls.end(id);
            return found ? registry.find(id) : Optional.empty();
        });
    }

    @Override
    public CompletableFuture<Optional<Token>> revokeToken(String name, String who) {
        return settled(() -> registry.revokeToken(name, who) ? token(name) : Optional.empty());
    }

    @Override
    public CompletableFuture<Optional<Token>> createToken(
            String name, String hash, List<String> pools, Optional<Instant> expires, String who) {
        return settled(() -> {
            registry.createToken(new RuntimeToken(hash, name, pools, expires, /* isRevoked= */ false), who);
            return token(name);
        });
    }

    private Optional<Token> token(String name) {
        return registry.tokenList().stream()
                .filter(token -> token.name().equals(name))
                .findFirst();
    }

    /** Runs a command; completes when its effect is applied and stored. */
    private <T> CompletableFuture<Optional<T>> settled(Supplier<Optional<T>> command) {
        return call(() -> {
                    Optional<T> result = command.get();
                    return settle().thenApply(done -> result);
                })
                .thenCompose(result -> result);
    }

    @Override
    public Counts counts() {
        return counts;
    }

    /** Stops the server, and stores all changes. The backends stay in their pools. */
    @Override
    public void close() {
        if (!loop.isShuttingDown()) {
            call(this::save)
                    .thenCompose(saved -> saved)
                    .exceptionally(failure -> null)
                    .join();
        }
        server.close();
    }
}
