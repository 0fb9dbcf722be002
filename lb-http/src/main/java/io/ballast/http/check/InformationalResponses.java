package io.ballast.http.check;

/** Counts the 1xx responses that come before the one that counts, as many as requests may have. Event-loop confined. */
final class InformationalResponses {

    static final int MOST = 100;

    static final String TOO_MANY = "more than " + MOST + " informational responses";

    private int count;

    /** Another one came; returns whether it may. */
    boolean another() {
        return ++count <= MOST;
    }
}
