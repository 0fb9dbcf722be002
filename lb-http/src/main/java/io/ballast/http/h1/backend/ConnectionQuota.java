package io.ballast.http.h1.backend;

import io.ballast.core.backend.Backend;
import java.util.List;

/**
 * The limit on connections to one backend, shared by all event loops.
 *
 * <p>The same limit applies to the exchanges that use the backend. If all permits are taken when an exchange needs a
 * connection, another event loop therefore has an unused connection, or will have one soon. The exchange then
 * <em>claims</em> a permit. The event loops are asked one after another to close an unused connection. An event loop
 * that finishes an exchange closes its connection instead of keeping it. Each closed connection frees a permit for the
 * first claim.
 *
 * <p>Thread safety: any event loop may call any method. Cost: nothing for a request on an existing connection, except
 * for one read at the end of its response.
 */
final class ConnectionQuota {

    private final ConnectionQuotas.Limit limit;
    private final Backend backend;
    private final List<BackendLoop> loops;
    private final ConnectionPermits<Claim> permits;

    /** @param loops all event loops that may open connections */
    ConnectionQuota(ConnectionQuotas.Limit limit, List<BackendLoop> loops) {
        this.limit = limit;
        this.backend = limit.backend();
        this.loops = loops;
        this.permits = new ConnectionPermits<>(limit.max());
    }

    ConnectionQuotas.Limit limit() {
        return limit;
    }

    /** An attempt that waits for a permit. */
    interface Claim {

        /** The event loop of the attempt. */
        BackendLoop loop();

        /**
         * Called on that event loop when the claim has received a permit. The callee uses the permit, or returns it
         * with {@link #releasePermit}.
         */
        void granted();
    }

    /** Takes a permit for a connection; false if there is none. */
    boolean tryAcquire() {
        return permits.tryAcquire();
    }

    /** The number of connections, including those that are being opened. */
    int acquired() {
        return permits.acquired();
    }

    /** Queues a claim, and asks the event loops to close an unused connection for it. */
    void claim(Claim claim) {
        if (permits.claim(claim)) {
            releasePermit();
        } else {
            requestIdleClose(0);
        }
    }

    /**
     * Removes a claim; false if the claim has received a permit, so that {@link Claim#granted} was or will be called.
     */
    boolean cancel(Claim claim) {
        return permits.cancel(claim);
    }

    /** Whether any claim waits, so that unused connections must be closed. */
    boolean isClaimed() {
        return permits.isClaimed();
    }

    /** Releases the permit of a connection that has ended or could not be opened. */
    void releasePermit() {
        Claim next = permits.release();
        if (next != null) {
            next.loop().worker.eventLoop().execute(next::granted);
        }
    }

    private void requestIdleClose(int index) {
        if (index < loops.size() && isClaimed()) {
            BackendLoop loop = loops.get(index);
            loop.worker.eventLoop().execute(() -> {
                if (!loop.closeOneIdle(backend)) {
                    requestIdleClose(index + 1);
                }
            });
        }
    }
}
