package io.ballast.dns.zone.service;

import io.ballast.core.config.LatencyConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Selects the fastest items with hysteresis: an item replaces a selected one only if it is faster by at least the
 * hysteresis. A selection is kept for some time unless one of its items becomes unavailable.
 *
 * <p>Thread safety: confined to the compiler thread.
 *
 * @param <T> type of the items
 */
final class FastestChoice<T> {

    private final LatencyConfig config;
    private List<T> chosen = List.of();
    private long chosenAtNanos;
    /**
     * The items whose time was known at an earlier selection. If a selection compares an item for the first time,
     * it ignores the hold time.
     */
    private final Set<T> compared = new HashSet<>();

    FastestChoice(LatencyConfig config) {
        this.config = config;
    }

    /**
     * Returns the fastest items below the maximum time.
     *
     * @param nanos the times of available items with a known time
     * @param max maximum number of items
     * @return the items in order of preference; empty if no time is known, or all items are too slow
     */
    List<T> choose(Map<T, Double> nanos, int max, long nowNanos) {
        List<T> next = preview(nanos, max, nowNanos);
        if (!Set.copyOf(next).equals(Set.copyOf(chosen))) {
            chosenAtNanos = nowNanos;
        }
        chosen = next;
        compared.addAll(nanos.keySet());
        return next;
    }

    /** Returns the result of {@link #choose} without changing the choice. */
    List<T> preview(Map<T, Double> nanos, int max, long nowNanos) {
        List<T> candidates = new ArrayList<>();
        nanos.forEach((each, time) -> {
            if (!isTooSlow(time)) {
                candidates.add(each);
            }
        });
        int count = Math.min(max, candidates.size());
        boolean held = nowNanos - chosenAtNanos < config.hold().toNanos() && compared.containsAll(nanos.keySet());
        if (held && chosen.size() == count && candidates.containsAll(chosen)) {
            return chosen;
        }
        double advantage = 1 - config.hysteresisPercent() / 100.0;
        candidates.sort(Comparator.comparingDouble(
                each -> nanos.getOrDefault(each, 0.0) * (chosen.contains(each) ? advantage : 1)));
        return List.copyOf(candidates.subList(0, count));
    }

    private boolean isTooSlow(double nanos) {
        return config.maxLatency().isPresent()
                && nanos > config.maxLatency().get().toNanos();
    }

    /** Returns the items that {@link #choose} selected last. */
    List<T> chosen() {
        return chosen;
    }
}
