package io.ballast.core.backend;

/** The state of a backend. */
public enum BackendState {
    /** Not checked yet. Takes traffic: a connect failure moves on to another backend. */
    UNKNOWN("unknown", true),
    UP("up", true),
    DOWN("down", false),
    /** Finishes what it has and gets nothing new, by order of an operator. */
    DRAINING("draining", false),
    /** Out for a while, since requests failed there. */
    EJECTED("ejected", false),
    /** Gets nothing and keeps no connection, by order of an operator. */
    MAINTENANCE("maintenance", false);

    private final String label;
    private final boolean usable;

    BackendState(String label, boolean usable) {
        this.label = label;
        this.usable = usable;
    }

    public String label() {
        return label;
    }

    /** Whether new requests may go there. */
    public boolean isUsable() {
        return usable;
    }

    /** Whether it is out of service because an operator wants it so. */
    public boolean isTakenOut() {
        return this == DRAINING || this == MAINTENANCE;
    }
}
