package io.ballast.dashboard.config;

/** What somebody may do at the dashboard; each role may do what those before it may. */
public enum Role {
    /** See everything. */
    VIEWER,
    /** Give orders, reload, report. */
    OPERATOR;

    /** Whether who has this role may do what {@code other} may. */
    public boolean covers(Role other) {
        return compareTo(other) >= 0;
    }
}
