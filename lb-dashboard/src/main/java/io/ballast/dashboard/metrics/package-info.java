/**
 * Metrics for Prometheus and OpenMetrics.
 *
 * <p>{@link io.ballast.dashboard.metrics.BallastMeter} lists the meters of the dashboard; the modules that count declare
 * the others as {@link io.ballast.core.stats.Statistic}s. {@link io.ballast.dashboard.metrics.MetricsRegistry} writes all
 * of them. Meters read existing counters when scraped: there is no additional work per request.
 */
@NullMarked
package io.ballast.dashboard.metrics;

import org.jspecify.annotations.NullMarked;
