package io.ballast.http.policy;

import io.ballast.core.stats.Counters;

/**
 * A policy with its name and counters.
 *
 * @param name the key under {@code policies}
 * @param kind the key that selects its kind, such as {@code rate_limit}
 * @param dryRun whether the policy is evaluated and counted without effect
 */
public record NamedPolicy(String name, String kind, Policy policy, boolean dryRun, Counters<PolicyCounter> counters) {}
