package io.ballast.dashboard.config;

/** The permissions of a user of the dashboard; each role includes the ones before it. */
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
