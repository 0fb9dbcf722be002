/**
 * Metrics for Prometheus and OpenMetrics.
 *
 * <p>{@link io.ballast.dashboard.metrics.BallastMeter} documents every meter; {@link
 * io.ballast.dashboard.metrics.MetricsRegistry} holds and writes them. Meters read the core's cells when scraped:
 * nothing is done for a request.
 */
@NullMarked
package io.ballast.dashboard.metrics;

import org.jspecify.annotations.NullMarked;
