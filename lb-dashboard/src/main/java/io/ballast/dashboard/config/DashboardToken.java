package io.ballast.dashboard.config;

/**
 * A program that uses the API with a bearer token.
 *
 * @param name the name in the timeline
 * @param tokenHash hash of the token
 * @param role its permissions
 */
public record DashboardToken(String name, TokenHash tokenHash, Role role) {}
