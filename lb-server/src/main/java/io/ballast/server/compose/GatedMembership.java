package io.ballast.server.compose;

import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.pool.Membership;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Passes operators' changes of backends through a {@link Gate}: they wait while another process takes over.
 */
final class GatedMembership implements Membership {

    private final Membership membership;
    private final Gate gate;

    GatedMembership(Membership membership, Gate gate) {
        this.membership = membership;
        this.gate = gate;
    }

    @Override
    public CompletableFuture<Outcome> add(String pool, String address, Settings settings, OverrideTerms terms) {
        return gate.submit(() -> membership.add(pool, address, settings, terms));
    }

    @Override
    public CompletableFuture<Outcome> set(
            String pool, String address, Settings settings, OverrideTerms terms, boolean confirmed) {
        return gate.submit(() -> membership.set(pool, address, settings, terms, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> remove(String pool, String address, OverrideTerms terms, boolean confirmed) {
        return gate.submit(() -> membership.remove(pool, address, terms, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> reset(
            String pool, Optional<String> address, OverrideTerms terms, boolean confirmed) {
        return gate.submit(() -> membership.reset(pool, address, terms, confirmed));
    }

    @Override
    public List<Change> changes(String pool) {
        return membership.changes(pool);
    }
}
