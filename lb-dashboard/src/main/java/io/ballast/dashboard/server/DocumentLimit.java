package io.ballast.dashboard.server;

/** How many long responses are on their way, and how many may be. Confined to the server's event loop. */
final class DocumentLimit {

    private final int most;
    private int underWay;

    DocumentLimit(int most) {
        this.most = most;
    }

    /** Counts one more; false if there are as many as may be. */
    boolean tryBegin() {
        if (underWay >= most) {
            return false;
        }
        underWay++;
        return true;
    }

    void end() {
        underWay--;
    }
}
