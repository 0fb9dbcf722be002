package io.ballast.dashboard;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How discovery is.
 *
 * @param sources that tell which backends the pools have
 * @param isRefused whether what they tell cannot be put in force
 */
public record DiscoveryStats(List<Source> sources, boolean isRefused) {

    /** There are no sources. */
    public static final DiscoveryStats NONE = new DiscoveryStats(List.of(), /* isRefused= */ false);

    /**
     * One source.
     *
     * @param source what tells it from the others of its pool: {@code dns app.internal}
     * @param backends that it tells of
     * @param lastSuccess when it answered last; absent if it has not since the process started
     * @param failures how often it could not be asked
     */
    public record Source(String pool, String source, int backends, Optional<Instant> lastSuccess, long failures) {}
}
