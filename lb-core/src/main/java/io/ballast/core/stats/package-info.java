/**
 * Counters and latency distributions that event loops write without contention and any thread may read.
 *
 * <p>One writer per cell: every event loop owns a <em>shard</em>, a padded block of plain {@code long} cells
 * written with opaque stores. Readers sum the shards. A sum may miss writes in progress, but includes all
 * earlier writes. Start with {@link io.ballast.core.stats.Counters}, {@link
 * io.ballast.core.stats.LatencyHistogram} and {@link io.ballast.core.stats.LatencySummary}.
 *
 * <p>A module declares the statistics that it shows as a list of {@link io.ballast.core.stats.Statistic}. All code that
 * shows statistics reads such a list through {@link io.ballast.core.stats.SampleConsumer}.
 */
@NullMarked
package io.ballast.core.stats;

import org.jspecify.annotations.NullMarked;
