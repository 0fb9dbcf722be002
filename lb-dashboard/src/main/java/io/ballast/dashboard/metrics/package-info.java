/**
 * Metrics for Prometheus and OpenMetrics.
 *
 * <p>{@link io.ballast.dashboard.metrics.BallastMeter} documents every meter; {@link
 * io.ballast.dashboard.metrics.MetricsRegistry} writes them. Meters read existing counters when scraped: there is no
 * additional work per request.
 */
@NullMarked
package io.ballast.dashboard.metrics;

import org.jspecify.annotations.NullMarked;
