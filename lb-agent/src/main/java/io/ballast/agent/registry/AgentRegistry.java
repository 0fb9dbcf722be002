package io.ballast.agent.registry;

import io.ballast.agent.config.AgentsConfig;
import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import io.ballast.core.config.agent.PoolAgents;
import io.ballast.dashboard.source.AgentDirectory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The agents that report to this node, and the backends that they report. Uses no threads, files or sockets.
 *
 * <p>An agent chooses its id and its secret. With a token of a pool, it registers the hash of the secret; from then on,
 * the id belongs to this secret. Each report lists all backends of the agent. A backend joins its pool with the first
 * report that it is up. It belongs to the agent that reported it first, until that agent removes it or is forgotten.
 *
 * <p>Bounds: {@link AgentsConfig#maxAgents} agents, {@value #MAX_BACKENDS_OF_AGENT} backends of each, and {@link
 * PoolAgents#maxBackends} backends of each pool.
 *
 * <p>Thread safety: confined to one thread.
 */
public final class AgentRegistry {

    /** The maximum number of backends in one report. */
    public static final int MAX_BACKENDS_OF_AGENT = 64;

    private static final String UNKNOWN_HASH = "0".repeat(64);

    private final AgentsConfig config;
    private final Supplier<Map<String, PoolAgents>> pools;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final RegistryListener listener;
    private final AgentTable agents = new AgentTable();
    private final SilentAgents silentAgents;
    private final RuntimeTokens runtimeTokens = new RuntimeTokens();
    private long reports;
    private long refused;

    /**
     * The result of a report for one backend.
     *
     * @param refusal why the backend is not accepted; empty if it is
     */
    public record Result(BackendKey key, String refusal) {}

    /**
     * @param pools the current settings of the pools that allow agents
     * @param nanoTime a clock that never jumps
     * @param checksSucceed whether the checks of this node find a backend up; false for a backend without checks
     */
    public AgentRegistry(
            AgentsConfig config,
            Supplier<Map<String, PoolAgents>> pools,
            InstantSource clock,
            LongSupplier nanoTime,
            Predicate<BackendKey> checksSucceed,
            RegistryListener listener) {
        this.config = config;
        this.pools = pools;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.listener = listener;
        this.silentAgents = new SilentAgents(config, agents, checksSucceed, listener);
    }

    // ---- requests of agents

    /**
     * Registers an agent, or adds the pools of another token to a registered agent.
     *
     * @param token the token of a pool
     * @param secretHash the SHA-256 of the secret that the agent will use
     * @return the agent
     * @throws AgentRefusal if the token is not valid, the id belongs to another secret, or a limit is reached
     */
    public AgentIdentity register(String id, String token, String secretHash) {
        PoolTokens.Permission permission = tokens().find(token, clock.instant());
        if (permission.isEmpty()) {
            throw refuse(AgentRefusal.Kind.UNAUTHORIZED, "the token is unknown, expired or revoked");
        }
        AgentEntry known = agents.find(id);
        if (known == null) {
            return add(id, secretHash, permission);
        }
        if (!Hashes.isEqual(known.identity().secretHash(), secretHash)) {
            throw refuse(
                    AgentRefusal.Kind.CONFLICT,
                    "the id " + id + " belongs to another secret (expected: another id, or the secret with which the"
                            + " agent registered)");
        }
        requireNotRevoked(known);
        AgentIdentity next = known.identity().with(permission.name(), permission.pools(), permission.pendingPools());
        if (!next.equals(known.identity())) {
            known.identity(next);
            listener.onRegistered(next);
            listener.onStateChanged();
        }
        return next;
    }

    private AgentIdentity add(String id, String secretHash, PoolTokens.Permission permission) {
        AgentIdentity identity;
        try {
            identity = new AgentIdentity(
                    id,
                    secretHash,
                    permission.name(),
                    permission.pools(),
                    permission.pendingPools(),
                    /* isRevoked= */ false,
                    clock.instant(),
                    clock.instant());
        } catch (IllegalArgumentException e) {
            throw refuse(AgentRefusal.Kind.INVALID, ErrorText.of(e));
        }
        if (agents.size() >= config.maxAgents() && !dropUnused()) {
            throw refuse(
                    AgentRefusal.Kind.FULL,
                    "this node has " + agents.size() + " agents (expected: fewer than agents.max_agents)");
        }
        agents.add(new AgentEntry(identity, nanoTime.getAsLong()));
        listener.onRegistered(identity);
        listener.onStateChanged();
        listener.onEvent("agent " + id, "registered with token " + identity.token() + ", " + identity.status());
        return identity;
    }

    /** Drops the registration that was not used for the longest time; returns false if all are in use. */
    private boolean dropUnused() {
        Optional<AgentEntry> unused = agents.longestUnused(clock.instant());
        unused.ifPresent(entry -> {
            agents.drop(entry);
            listener.onDropped(entry.identity().id());
        });
        return unused.isPresent();
    }

    /**
     * Replaces the backends of an agent with the backends of a report.
     *
     * @param version identifies the report in {@link #repeat}; empty if it will not be repeated
     * @param client the address of the agent, for operators
     * @return a result for each reported backend
     * @throws AgentRefusal if the secret is wrong, or the agent is revoked
     */
    public List<Result> report(
            String id, String secret, List<ReportedBackend> backends, String version, String client) {
        AgentEntry entry = authenticate(id, secret);
        if (backends.size() > MAX_BACKENDS_OF_AGENT) {
            throw refuse(
                    AgentRefusal.Kind.INVALID,
                    "backends: " + backends.size() + " (expected: at most " + MAX_BACKENDS_OF_AGENT + ")");
        }
        boolean wasStale = countReport(entry, client);
        List<Result> results = new ArrayList<>();
        Set<BackendKey> present = new HashSet<>();
        boolean changed = wasStale;
        for (ReportedBackend each : backends) {
            String refusal = present.contains(each.key()) ? "listed twice" : refusal(entry, each.key());
            results.add(new Result(each.key(), refusal));
            if (refusal.isEmpty()) {
                present.add(each.key());
                changed |= agents.put(entry, each);
            }
        }
        for (BackendKey each : List.copyOf(entry.backends().keySet())) {
            if (!present.contains(each)) {
                agents.remove(entry, each);
                changed = true;
            }
        }
        entry.reportVersion(present.size() == backends.size() ? version : "");
        if (changed) {
            notifyChanged();
        }
        return results;
    }

    /** Records that an agent reports now; returns whether the previous report was already too old to count. */
    private boolean countReport(AgentEntry entry, String client) {
        reports++;
        boolean wasStale = entry.isStale();
        if (wasStale) {
            listener.onEvent("agent " + entry.identity().id(), "reports again");
        }
        entry.markReported(client, clock.instant(), nanoTime.getAsLong());
        noteUse(entry);
        return wasStale;
    }

    /**
     * Repeats the last report of an agent.
     *
     * @param version identifies the report
     * @throws AgentRefusal if the secret is wrong, the agent is revoked, or {@code version} is not the last report;
     *     also if the node refused a backend of that report
     */
    public void repeat(String id, String secret, String version, String client) {
        AgentEntry entry = authenticate(id, secret);
        if (version.isEmpty() || !version.equals(entry.reportVersion())) {
            throw new AgentRefusal(
                    AgentRefusal.Kind.OUTDATED, "this node does not have this report; send all backends");
        }
        if (countReport(entry, client)) {
            notifyChanged();
        }
    }

    private void noteUse(AgentEntry entry) {
        Instant now = clock.instant();
        if (entry.identity().isUseOutdated(now)) {
            entry.identity(entry.identity().usedAt(now));
            listener.onRegistered(entry.identity());
            listener.onStateChanged();
        }
    }

    /** Returns the reason why an agent must not report a backend; empty if the agent may report it. */
    private String refusal(AgentEntry entry, BackendKey key) {
        PoolAgents pool = pools.get().get(key.pool());
        if (pool == null || !entry.identity().pools().contains(key.pool())) {
            return entry.identity().pendingPools().contains(key.pool())
                    ? "an operator has to approve the agent for this pool: lb agents approve "
                            + entry.identity().id()
                    : "the agent may not add backends to this pool (expected: a token of this pool)";
        }
        AgentEntry owner = agents.owner(key);
        if (owner == entry) {
            return "";
        }
        if (owner != null) {
            return "agent " + owner.identity().id() + " reports this backend";
        }
        return agents.backendCount(key.pool()) >= pool.maxBackends()
                ? "the pool has " + pool.maxBackends() + " backends of agents already (max_backends)"
                : "";
    }

    /**
     * Removes the backends of an agent; its registration stays valid.
     *
     * @throws AgentRefusal if the secret is wrong, or the agent is revoked
     */
    public void deregister(String id, String secret) {
        AgentEntry entry = authenticate(id, secret);
        entry.markReported(entry.client(), clock.instant(), nanoTime.getAsLong());
        if (agents.removeAll(entry)) {
            listener.onEvent("agent " + id, "deregistered");
            notifyChanged();
        }
    }

    /**
     * Replaces the secret of an agent. The request is authenticated with the old secret, which is not valid afterwards.
     *
     * @throws AgentRefusal if the secret is wrong, or the agent is revoked
     */
    public void replaceSecret(String id, String secret, String nextHash) {
        AgentEntry entry = authenticate(id, secret);
        try {
            entry.identity(entry.identity().withSecret(nextHash));
        } catch (IllegalArgumentException e) {
            throw refuse(AgentRefusal.Kind.INVALID, ErrorText.of(e));
        }
        listener.onIdentityChanged(entry.identity());
        listener.onStateChanged();
        listener.onEvent("agent " + id, "replaced its secret");
    }

    /**
     * Returns the backends that an agent reports.
     *
     * @throws AgentRefusal if the secret is wrong, or the agent is revoked
     */
    public List<BackendKey> backendsOf(String id, String secret) {
        return List.copyOf(authenticate(id, secret).backends().keySet());
    }

    /**
     * Returns the pools to which an agent may add backends.
     *
     * @throws AgentRefusal if the secret is wrong, or the agent is revoked
     */
    public Set<String> poolsOf(String id, String secret) {
        return Set.copyOf(authenticate(id, secret).identity().pools());
    }

    private AgentEntry authenticate(String id, String secret) {
        AgentEntry entry = agents.find(id);
        String expected = entry == null ? UNKNOWN_HASH : entry.identity().secretHash();
        if (!Hashes.isEqual(Hashes.sha256(secret), expected) || entry == null) {
            throw refuse(
                    entry == null ? AgentRefusal.Kind.UNKNOWN : AgentRefusal.Kind.UNAUTHORIZED,
                    "the agent is not registered here, or the secret is wrong; register the agent again with a token");
        }
        requireNotRevoked(entry);
        return entry;
    }

    private void requireNotRevoked(AgentEntry entry) {
        if (entry.identity().isRevoked()) {
            throw refuse(
                    AgentRefusal.Kind.REVOKED,
                    "an operator has revoked this agent; to allow it again, run: lb agents approve "
                            + entry.identity().id());
        }
    }

    private AgentRefusal refuse(AgentRefusal.Kind kind, String message) {
        refused++;
        return new AgentRefusal(kind, message);
    }

    // ---- time

    /** Finds agents that have not reported for too long. Called about once a second. */
    public void tick() {
        if (silentAgents.tick(nanoTime.getAsLong())) {
            notifyChanged();
        }
    }

    /** Must be called after the settings of the pools have changed. Removes backends of pools without agents. */
    public void poolsChanged() {
        boolean changed = false;
        for (AgentEntry entry : agents.all()) {
            for (BackendKey each : List.copyOf(entry.backends().keySet())) {
                if (!pools.get().containsKey(each.pool())) {
                    agents.remove(entry, each);
                    changed = true;
                }
            }
        }
        listener.onBackendsChanged();
        if (changed) {
            listener.onStateChanged();
        }
    }

    // ---- commands of operators

    /** Like {@link AgentDirectory#approve}; returns whether there is such an agent. */
    public boolean approve(String id, String who) {
        AgentEntry entry = agents.find(id);
        if (entry == null) {
            return false;
        }
        entry.identity(entry.identity().approved());
        listener.onIdentityChanged(entry.identity());
        listener.onStateChanged();
        listener.onEvent("agent " + id, "approved by " + who);
        return true;
    }

    /** Like {@link AgentDirectory#revoke}; returns whether there is such an agent. */
    public boolean revoke(String id, String who) {
        AgentEntry entry = agents.find(id);
        if (entry == null) {
            return false;
        }
        entry.identity(entry.identity().revoked());
        agents.removeAll(entry);
        listener.onIdentityChanged(entry.identity());
        listener.onEvent("agent " + id, "revoked by " + who);
        notifyChanged();
        return true;
    }

    /** Like {@link AgentDirectory#revokeToken}; returns whether there is such a token. */
    public boolean revokeToken(String name, String who) {
        List<String> hashes = tokens().hashes(name);
        if (hashes.isEmpty()) {
            return false;
        }
        hashes.forEach(hash -> listener.onTokenChanged(runtimeTokens.revoke(hash, name)));
        listener.onStateChanged();
        listener.onEvent("agent token " + name, "revoked by " + who);
        return true;
    }

    /**
     * Creates a token.
     *
     * @throws IllegalArgumentException if a pool does not allow agents, another token has this name, or there are too
     *     many tokens
     */
    public void createToken(RuntimeToken token, String who) {
        Checks.that(!token.pools().isEmpty(), "pool", "none", "a pool with the key agents");
        token.pools()
                .forEach(pool -> Checks.that(
                        pools.get().containsKey(pool),
                        "pool",
                        pool,
                        "a pool with the key agents in its configuration"));
        Checks.that(tokens().hashes(token.name()).isEmpty(), "token", token.name(), "a name that no other token has");
        runtimeTokens.put(token);
        listener.onTokenChanged(token);
        listener.onStateChanged();
        listener.onEvent(
                "agent token " + token.name(), "created by " + who + " for " + String.join(", ", token.pools()));
    }

    private void notifyChanged() {
        listener.onBackendsChanged();
        listener.onStateChanged();
    }

    /** Returns the object that applies decisions of the cluster to this registry. */
    public AgentAdoption adoption() {
        return new AgentAdoption(agents, runtimeTokens, nanoTime, listener);
    }

    // ---- views

    /** Returns the backends that have joined their pools. */
    public AgentBackends backends() {
        return views().backends();
    }

    /** Returns all agents in the order of their ids. */
    public List<AgentDirectory.Agent> list() {
        return views().list();
    }

    /** Returns one agent. */
    public Optional<AgentDirectory.Agent> find(String id) {
        return views().find(id);
    }

    /** Returns all configured tokens. */
    public List<AgentDirectory.Token> tokenList() {
        return tokens().list(clock.instant(), views()::countByToken);
    }

    /** @param latencies the number of reported round-trip times */
    public AgentDirectory.Counts counts(long latencies) {
        return views().counts(reports, refused, latencies);
    }

    private AgentViews views() {
        return new AgentViews(agents, pools.get());
    }

    private PoolTokens tokens() {
        return new PoolTokens(pools.get(), runtimeTokens);
    }

    // ---- state

    /** Returns the state that must survive a restart. */
    public SavedAgents saved() {
        return new SavedAgents(
                agents.all().stream()
                        .map(entry -> new SavedAgents.SavedAgent(
                                entry.identity(),
                                entry.isShared(),
                                entry.backends().values().stream()
                                        .filter(each -> entry.hasJoined(each.key()))
                                        .toList()))
                        .toList(),
                List.copyOf(runtimeTokens.all()));
    }

    /**
     * Restores the state of the previous run. Its agents count as if they had reported now. Must be the first call.
     */
    public void restore(SavedAgents saved) {
        saved.tokens().forEach(runtimeTokens::put);
        runtimeTokens.retainConfigured(tokens().configured());
        long now = nanoTime.getAsLong();
        for (SavedAgents.SavedAgent each : saved.agents()) {
            if (agents.size() >= config.maxAgents()) {
                return;
            }
            AgentEntry entry = new AgentEntry(each.identity(), now);
            entry.setShared(each.isShared());
            agents.add(entry);
            each.backends().stream()
                    .filter(backend -> refusal(entry, backend.key()).isEmpty())
                    .forEach(backend -> {
                        agents.put(entry, backend);
                        entry.markJoined(backend.key());
                    });
        }
    }
}
