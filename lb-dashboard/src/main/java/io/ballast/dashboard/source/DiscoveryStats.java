package io.ballast.dashboard.source;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state of service discovery.
 *
 * @param sources the sources that add and remove backends
 * @param isRefused whether the activation of the discovered backends was rejected
 */
public record DiscoveryStats(List<Source> sources, boolean isRefused) {

    /** No sources. */
    public static final DiscoveryStats NONE = new DiscoveryStats(List.of(), /* isRefused= */ false);

    /**
     * One source.
     *
     * @param source its description, unique within the pool, such as {@code dns app.internal}
     * @param backends number of discovered backends
     * @param lastSuccess time of the last response; absent if there was none since the start
     * @param failures number of failed requests to the source
     */
    public record Source(String pool, String source, int backends, Optional<Instant> lastSuccess, long failures) {}
}
