/**
 * Counters and latency distributions that event loops write without contention and anyone may read.
 *
 * <p>One writer per cell: every event loop owns a <em>shard</em>, a padded block of plain {@code long} cells written
 * with opaque stores. Readers sum the shards; a sum may miss what is being written at that moment, never what was
 * written before. Start with {@link io.ballast.core.stats.Counters}, {@link io.ballast.core.stats.LatencyHistogram}
 * and {@link io.ballast.core.stats.LatencySummary}.
 */
@NullMarked
package io.ballast.core.stats;

import org.jspecify.annotations.NullMarked;
