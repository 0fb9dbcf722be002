package io.ballast.dashboard.server;

/** Limits the number of long responses that are being sent at the same time. Confined to the server's event loop. */
final class DocumentLimit {

    private final int max;
    private int active;

    DocumentLimit(int max) {
        this.max = max;
    }

    /** Counts one more response; returns false if the limit is reached. */
    boolean tryAcquire() {
        if (active >= max) {
            return false;
        }
        active++;
        return true;
    }

    void release() {
        active--;
    }
}
