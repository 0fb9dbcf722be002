package io.ballast.dashboard.server;

/** Limits the number of long responses that are being sent at the same time. Confined to the server's event loop. */
final class DocumentLimit {

    private final int max;
    private int running;

    DocumentLimit(int max) {
        this.max = max;
    }

    /** Counts one more response; returns false if the limit is reached. */
    boolean tryBegin() {
        if (running >= max) {
            return false;
        }
        running++;
        return true;
    }

    void end() {
        running--;
    }
}
