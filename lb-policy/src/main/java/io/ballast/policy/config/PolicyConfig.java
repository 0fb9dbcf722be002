package io.ballast.policy.config;

/**
 * A policy of the configuration.
 *
 * @param name the key under {@code policies}
 * @param dryRun whether the policy is evaluated and counted without effect
 */
public record PolicyConfig(String name, PolicyRule rule, boolean dryRun) {}
