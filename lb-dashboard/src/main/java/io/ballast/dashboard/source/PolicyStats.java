package io.ballast.dashboard.source;

import io.ballast.core.stats.BoundStatistic;
import java.util.List;

/**
 * The counters of a policy, and its keys and refusals.
 *
 * @param kind the key that selects its kind in the configuration, such as {@code rate_limit}
 * @param dryRun whether the policy is evaluated and counted without effect
 * @param statistics reads the current values
 * @param activity reads the keys and the last refusals
 */
public record PolicyStats(
        String name, String kind, boolean dryRun, List<BoundStatistic<?>> statistics, PolicyActivity activity) {}
