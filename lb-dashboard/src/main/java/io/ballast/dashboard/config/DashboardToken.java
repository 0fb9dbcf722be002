package io.ballast.dashboard.config;

/**
 * A program that asks the dashboard with a bearer token.
 *
 * @param name by which the timeline knows it too
 * @param tokenHash of the token
 * @param role what it may do
 */
public record DashboardToken(String name, TokenHash tokenHash, Role role) {}
