package io.ballast.dashboard.config;

/**
 * A program that uses the API with a bearer token.
 *
 * @param name the name shown in the timeline
 * @param tokenHash hash of the token
 * @param role the program's permissions
 */
public record DashboardToken(String name, TokenHash tokenHash, Role role) {}
