/**
 * Metrics for Prometheus and OpenMetrics.
 *
 * <p>{@link io.ballast.dashboard.metrics.BallastMeter} lists the metrics that the dashboard computes.
 * Other modules declare their metrics as {@link io.ballast.core.stats.Statistic}s. {@link
 * io.ballast.dashboard.metrics.MetricsRegistry} writes all metrics. A scrape reads existing counters, so
 * metrics cause no additional work per request.
 */
@NullMarked
package io.ballast.dashboard.metrics;

import org.jspecify.annotations.NullMarked;
