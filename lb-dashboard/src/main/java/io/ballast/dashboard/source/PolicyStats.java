package io.ballast.dashboard.source;

import io.ballast.core.stats.BoundStatistic;
import java.util.List;

/**
 * The counters of a policy.
 *
 * @param kind the key that selects its kind in the configuration, such as {@code rate_limit}
 * @param dryRun whether the policy is evaluated and counted without effect
 * @param statistics reads the current values
 */
public record PolicyStats(String name, String kind, boolean dryRun, List<BoundStatistic<?>> statistics) {}
