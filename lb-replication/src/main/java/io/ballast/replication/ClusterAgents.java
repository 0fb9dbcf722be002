package io.ballast.replication;

import io.ballast.dashboard.source.AgentDirectory;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Changes agents and tokens on this node, then waits for a short time until the cluster has committed the change (see
 * {@link CommitWait}). Thread-safe.
 */
final class ClusterAgents implements AgentDirectory {

    private final AgentDirectory local;
    private final AgentFacts facts;
    private final CommitWait commits;
    private final Supplier<Set<String>> pending;

    /** @param pending returns the keys of the facts whose changes are not committed */
    ClusterAgents(AgentDirectory local, AgentFacts facts, CommitWait commits, Supplier<Set<String>> pending) {
        this.local = local;
        this.facts = facts;
        this.commits = commits;
        this.pending = pending;
    }

    @Override
    public CompletableFuture<List<Agent>> agents() {
        Set<String> keys = pending.get();
        return local.agents()
                .thenApply(all -> all.stream()
                        .map(agent -> keys.contains(AgentIdentityFacts.key(agent.id())) || facts.isUnshared(agent.id())
                                ? agent.uncommitted()
                                : agent)
                        .toList());
    }

    @Override
    public CompletableFuture<List<Token>> tokens() {
        return local.tokens();
    }

    @Override
    public CompletableFuture<Optional<Agent>> approve(String id, String who) {
        return agentChange(id, () -> local.approve(id, who));
    }

    @Override
    public CompletableFuture<Optional<Agent>> revoke(String id, String who) {
        return agentChange(id, () -> local.revoke(id, who));
    }

    private CompletableFuture<Optional<Agent>> agentChange(
            String id, Supplier<CompletableFuture<Optional<Agent>>> change) {
        return commits.change(AgentIdentityFacts.key(id)::equals, change, agent -> agent.map(Agent::uncommitted));
    }

    @Override
    public CompletableFuture<Optional<Token>> revokeToken(String name, String who) {
        return tokenChange(() -> local.revokeToken(name, who));
    }

    @Override
    public CompletableFuture<Optional<Token>> createToken(
            String name, String hash, List<String> pools, Optional<Instant> expires, String who) {
        return tokenChange(() -> local.createToken(name, hash, pools, expires, who));
    }

    private CompletableFuture<Optional<Token>> tokenChange(Supplier<CompletableFuture<Optional<Token>>> change) {
        UnaryOperator<Optional<Token>> uncommitted = token -> token.map(Token::uncommitted);
        return commits.change(key -> key.startsWith(AgentTokenFacts.PREFIX), change, uncommitted);
    }

    @Override
    public Counts counts() {
        return local.counts();
    }
}
