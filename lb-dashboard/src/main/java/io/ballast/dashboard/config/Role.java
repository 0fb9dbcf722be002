package io.ballast.dashboard.config;

/** The permissions of a client of the dashboard. */
public enum Role {
    /** Read access to everything. */
    VIEWER,
    /** All permissions: to read, set overrides, reload the configuration and send reports. */
    OPERATOR,
    /** Permission only to set, read and remove the external overrides within its {@link OverrideScope}. */
    OVERRIDE;

    /** Whether this role includes the permissions of {@code other}. */
    public boolean covers(Role other) {
        return this == OPERATOR || this == other;
    }
}
