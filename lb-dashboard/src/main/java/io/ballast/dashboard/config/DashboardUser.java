package io.ballast.dashboard.config;

/**
 * Somebody who logs in to the dashboard by a password.
 *
 * @param name by which the timeline knows him too
 * @param passwordHash of the password
 * @param role what he may do
 */
public record DashboardUser(String name, PasswordHash passwordHash, Role role) {}
