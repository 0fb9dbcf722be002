package io.ballast.dashboard.config;

/** The permissions of a dashboard user; each role includes the permissions of the previous ones. */
public enum Role {
    /** Read access to everything. */
    VIEWER,
    /** May also set overrides, reload the configuration and send reports. */
    OPERATOR;

    /** Whether this role includes the permissions of {@code other}. */
    public boolean covers(Role other) {
        return compareTo(other) >= 0;
    }
}
