package io.ballast.replication;

import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.pool.Membership;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Changes backends on this node, then waits for a short time until the cluster has committed the change (see {@link
 * CommitWait}). Thread-safe.
 */
final class ClusterMembership implements Membership {

    private static final Outcome DONE = Outcome.of(Kind.DONE);
    private static final Outcome PENDING = Outcome.of(Kind.PENDING);

    private final Membership local;
    private final BackendFacts facts;
    private final CommitWait commits;

    ClusterMembership(Membership local, BackendFacts facts, CommitWait commits) {
        this.local = local;
        this.facts = facts;
        this.commits = commits;
    }

    private CompletableFuture<Outcome> committed(
            String pool, Optional<String> address, Supplier<CompletableFuture<Outcome>> change) {
        String prefix = BackendFacts.PREFIX + pool + "/";
        return commits.change(
                key -> key.startsWith(prefix)
                        && address.map(key.substring(prefix.length())::equalsIgnoreCase)
                                .orElse(true),
                change,
                DONE,
                PENDING);
    }

    @Override
    public CompletableFuture<Outcome> add(String pool, String address, Settings settings, OverrideTerms terms) {
        return committed(pool, Optional.of(address), () -> local.add(pool, address, settings, terms));
    }

    @Override
    public CompletableFuture<Outcome> set(
            String pool, String address, Settings settings, OverrideTerms terms, boolean confirmed) {
        return committed(pool, Optional.of(address), () -> local.set(pool, address, settings, terms, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> remove(String pool, String address, OverrideTerms terms, boolean confirmed) {
        return committed(pool, Optional.of(address), () -> local.remove(pool, address, terms, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> reset(
            String pool, Optional<String> address, OverrideTerms terms, boolean confirmed) {
        return committed(
                pool,
                address,
                () -> local.reset(pool, address, terms, confirmed).thenCompose(outcome -> switch (outcome.kind()) {
                    case DONE -> facts.removeInactive(pool, address).thenApply(any -> outcome);
                    case NO_SUCH_BACKEND -> facts.removeInactive(pool, address).thenApply(any -> any ? DONE : outcome);
                    default -> CompletableFuture.completedFuture(outcome);
                }));
    }

    @Override
    public List<Change> changes(String pool) {
        return local.changes(pool);
    }
}
