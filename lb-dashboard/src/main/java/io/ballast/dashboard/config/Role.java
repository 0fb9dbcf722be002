package io.ballast.dashboard.config;

/** The permissions of a user of the dashboard; each role includes the ones before it. */
public enum Role {
    /** See everything. */
    VIEWER,
    /** Overrides, reload and reports. */
    OPERATOR;

    /** Whether this role includes the permissions of {@code other}. */
    public boolean covers(Role other) {
        return compareTo(other) >= 0;
    }
}
