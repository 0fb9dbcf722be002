package io.ballast.core.backend;

/** The state of a backend. */
public enum BackendState {
    /** Not checked yet. Takes traffic: a connect failure moves on to another backend. */
    UNKNOWN("unknown", true),
    UP("up", true),
    DOWN("down", false),
    /** Completes running exchanges and gets no new ones, by an override. */
    DRAINING("draining", false),
    /** Out for a while, since requests failed there. */
    EJECTED("ejected", false),
    /** Gets no exchanges and keeps no connections, by an override. */
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

    /** Whether an operator has taken it out of service. */
    public boolean isTakenOut() {
        return this == DRAINING || this == MAINTENANCE;
    }
}
