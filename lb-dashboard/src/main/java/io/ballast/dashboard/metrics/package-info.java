/**
 * Metrics for Prometheus and OpenMetrics.
 *
 * <p>{@link io.ballast.dashboard.metrics.BallastMeter} lists the meters of the dashboard; listeners and the DNS frontend
 * provide theirs as {@link io.ballast.core.stats.BoundStatistic}s. {@link
 * io.ballast.dashboard.metrics.MetricsRegistry} writes all of them. Meters read existing counters when scraped: there is no
 * additional work per request.
 */
@NullMarked
package io.ballast.dashboard.metrics;

import org.jspecify.annotations.NullMarked;
