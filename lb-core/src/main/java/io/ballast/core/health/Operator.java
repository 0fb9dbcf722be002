package io.ballast.core.health;

import io.ballast.core.backend.Order;
import java.util.concurrent.CompletableFuture;

/** Takes orders about backends, and takes them back. Thread safety: any thread may call; the control plane does the work. */
public interface Operator {

    /** What became of it. */
    enum Outcome {
        /** It is so, and traffic follows. */
        DONE,
        /** There is no pool of that name. */
        NO_SUCH_POOL,
        /** The pool has no backend of that address. */
        NO_SUCH_BACKEND,
        /** Nothing is changed: it is the last usable backend of its pool, and that was not confirmed. */
        LAST_USABLE
    }

    /**
     * Has a backend be what the order says. A later order replaces an earlier one.
     *
     * @param address as written in the configuration
     * @param confirmed whether the last usable backend of a pool may be taken out of service too
     * @return completes when new requests follow it, after some seconds at most
     */
    CompletableFuture<Outcome> order(String pool, String address, Order order, boolean confirmed);

    /**
     * Takes back what was ordered, if anything was: checks decide again.
     *
     * @param who wants it, and why: {@link Order#signed}
     * @return completes like {@link #order}
     */
    CompletableFuture<Outcome> enable(String pool, String address, String who);
}
