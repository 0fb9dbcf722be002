package io.ballast.dashboard.config;

/**
 * A user who logs in to the dashboard with a password.
 *
 * @param name the name shown in the timeline
 * @param passwordHash hash of the password
 * @param role the user's permissions
 */
public record DashboardUser(String name, PasswordHash passwordHash, Role role) {}
