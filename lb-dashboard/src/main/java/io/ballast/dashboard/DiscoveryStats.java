package io.ballast.dashboard;

import java.time.Instant;
import java.util.Optional;

/**
 * One source that tells which backends a pool has.
 *
 * @param source what tells it from the others of its pool: {@code dns app.internal}
 * @param backends that it tells of
 * @param lastSuccess when it answered last; absent if it has not since the process started
 * @param failures how often it could not be asked
 */
public record DiscoveryStats(String pool, String source, int backends, Optional<Instant> lastSuccess, long failures) {}
