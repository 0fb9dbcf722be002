package io.ballast.http.policy;

import io.ballast.core.stats.Counters;

/**
 * A policy with its name, its counters and its last refusals.
 *
 * @param name the key under {@code policies}
 * @param kind the key that selects its kind, such as {@code rate_limit}
 * @param dryRun whether the policy is evaluated and counted without effect
 */
public record NamedPolicy(
        String name,
        String kind,
        Policy policy,
        boolean dryRun,
        Counters<PolicyCounter> counters,
        RecentRefusals refusals) {

    /** Creates a named policy without refusals. */
    public NamedPolicy(String name, String kind, Policy policy, boolean dryRun, Counters<PolicyCounter> counters) {
        this(name, kind, policy, dryRun, counters, new RecentRefusals());
    }
}
