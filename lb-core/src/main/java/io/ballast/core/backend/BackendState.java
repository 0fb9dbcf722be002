package io.ballast.core.backend;

/** The state of a backend. */
public enum BackendState {
    /** Not checked yet. Gets traffic; if connecting fails, another backend is tried. */
    UNKNOWN("unknown", true),
    UP("up", true),
    DOWN("down", false),
    /** Set by an override: completes the exchanges in flight but gets no new ones. */
    DRAINING("draining", false),
    /** Temporarily out of service because requests failed. */
    EJECTED("ejected", false),
    /** Set by an override: gets no exchanges and keeps no connections. */
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

    /** Returns whether the backend may get new requests. */
    public boolean isUsable() {
        return usable;
    }

    /** Returns whether an operator has taken the backend out of service. */
    public boolean isTakenOut() {
        return this == DRAINING || this == MAINTENANCE;
    }
}
