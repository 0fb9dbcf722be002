package io.ballast.cluster.fact;

import java.time.Instant;
import java.util.Optional;

/**
 * A change that has taken effect on this node, and that the cluster has not committed yet. Immutable.
 *
 * @param value the new value; absent if the fact is removed
 * @param base the version on which the change is based
 * @param since the time at which the change was made
 */
public record PendingChange(String key, Optional<String> value, long base, Instant since) {}
