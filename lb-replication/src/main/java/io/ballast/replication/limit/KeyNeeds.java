package io.ballast.replication.limit;

import io.ballast.policy.share.SharedLimit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The shares of a limit that clients of this node recently requested, by key. Contains only the keys with the most
 * requests and a substantial share. Confined to one thread.
 */
final class KeyNeeds {

    /** A node demands more than its clients requested, so that an increasing rate is admitted. */
    static final double HEADROOM = 1.25;

    /** The need for a key falls by this factor in each round, so that a pause does not end it. */
    private static final double DECAY = 0.9;

    private final Map<Long, Double> needs = new HashMap<>();
    private final SharedLimit limit;

    KeyNeeds(SharedLimit limit) {
        this.limit = limit;
    }

    /**
     * Reads the requests since the last call.
     *
     * @param seconds the time since the last call
     * @param least needs below this share are not stored
     * @param maxKeys the maximum number of keys
     */
    void update(double seconds, double least, int maxKeys) {
        needs.replaceAll((key, need) -> need * DECAY);
        double permitted = limit.requestsPerSecond() * seconds;
        limit.takeRequests((key, count) -> {
            double need = Math.min(1, HEADROOM * count / permitted);
            if (need >= least) {
                needs.merge(key, need, Math::max);
            }
        });
        needs.values().removeIf(need -> need < least);
        if (needs.size() > maxKeys) {
            List<Double> sorted = needs.values().stream().sorted().toList();
            double bound = sorted.get(sorted.size() - maxKeys);
            needs.values().removeIf(need -> need < bound);
            for (var each = needs.values().iterator(); needs.size() > maxKeys && each.hasNext(); ) {
                if (each.next() <= bound) {
                    each.remove();
                }
            }
        }
    }

    double of(long key) {
        return needs.getOrDefault(key, 0.0);
    }

    Map<Long, Double> all() {
        return needs;
    }
}
