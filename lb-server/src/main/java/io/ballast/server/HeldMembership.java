package io.ballast.server;

import io.ballast.core.backend.OrderTerms;
import io.ballast.core.pool.Membership;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What operators do about backends, which waits while another process takes over. */
final class HeldMembership implements Membership {

    private final Membership membership;
    private final Hold hold;

    HeldMembership(Membership membership, Hold hold) {
        this.membership = membership;
        this.hold = hold;
    }

    @Override
    public CompletableFuture<Outcome> add(String pool, String address, Settings settings, OrderTerms terms) {
        return hold.pass(() -> membership.add(pool, address, settings, terms));
    }

    @Override
    public CompletableFuture<Outcome> set(
            String pool, String address, Settings settings, OrderTerms terms, boolean confirmed) {
        return hold.pass(() -> membership.set(pool, address, settings, terms, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> remove(String pool, String address, OrderTerms terms, boolean confirmed) {
        return hold.pass(() -> membership.remove(pool, address, terms, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> reset(
            String pool, Optional<String> address, OrderTerms terms, boolean confirmed) {
        return hold.pass(() -> membership.reset(pool, address, terms, confirmed));
    }

    @Override
    public List<Change> changes(String pool) {
        return membership.changes(pool);
    }
}
