package io.ballast.dns.learn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The smoothed round-trip times between pools and client networks: an exponential moving average, in which
 * each new time has the weight {@value #ALPHA}. The average is used after {@value #MIN_SAMPLES} reports,
 * until {@link #LIFETIME} after the last report. If there are more than {@value #MAX_NETWORKS} networks, the
 * least recently reported networks are evicted.
 *
 * <p>Thread safety: confined to one thread at a time.
 */
public final class RoundTripTimes {

    static final double ALPHA = 0.3;
    static final int MIN_SAMPLES = 3;
    static final int MAX_NETWORKS = 100_000;
    static final Duration LIFETIME = Duration.ofDays(7);

    private final int maxNetworks;
    private final long secret;
    /** The networks, ordered by the time of their last report, oldest first. */
    private final LinkedHashMap<Long, Map<String, Smoothed>> networks = new LinkedHashMap<>(16, 0.75F, true);

    private List<Long> indexedNetworks = List.of();
    private NetworkIndex index = NetworkIndex.NONE;

    private static final class Smoothed {
        private double nanos;
        private int samples;
        private long lastNanos;
    }

    /** @param secret value that the senders of reports must not be able to guess */
    public RoundTripTimes(long secret) {
        this(MAX_NETWORKS, secret);
    }

    RoundTripTimes(int maxNetworks, long secret) {
        this.maxNetworks = maxNetworks;
        this.secret = secret;
    }

    /** Adds samples of round-trip times, and removes expired ones. */
    public void add(List<RoundTripSample> samples, long nowNanos) {
        for (RoundTripSample sample : samples) {
            boolean ipv4 = sample.client().isIpv4();
            long leading = ipv4 ? sample.client().low() << 32 : sample.client().high();
            Smoothed time = networks.computeIfAbsent(Network.of(ipv4, leading), network -> new HashMap<>())
                    .computeIfAbsent(sample.pool(), pool -> new Smoothed());
            double sampleNanos = sample.roundTrip().toNanos();
            time.nanos = time.samples == 0 ? sampleNanos : time.nanos + ALPHA * (sampleNanos - time.nanos);
            time.samples = Math.min(time.samples + 1, MIN_SAMPLES);
            time.lastNanos = nowNanos;
        }
        removeExpired(nowNanos);
        indexedNetworks = new ArrayList<>(networks.keySet());
        index = new NetworkIndex(indexedNetworks, secret);
    }

    private void removeExpired(long nowNanos) {
        long lifetime = LIFETIME.toNanos();
        networks.values().forEach(pools -> pools.values().removeIf(time -> nowNanos - time.lastNanos > lifetime));
        networks.values().removeIf(Map::isEmpty);
        var eldest = networks.keySet().iterator();
        for (int excess = networks.size() - maxNetworks; excess > 0; excess--) {
            eldest.next();
            eldest.remove();
        }
    }

    /** Returns the lookup table that maps client networks to their indexes, for use by queries. */
    public NetworkIndex index() {
        return index;
    }

    /** The known networks; the index of a network in this list is its position in {@link #index}. */
    public List<Long> networks() {
        return indexedNetworks;
    }

    /**
     * The smoothed round-trip time between a pool and a client network in nanoseconds; empty if there are too
     * few reports.
     */
    public OptionalDouble roundTripNanos(long network, String pool) {
        Map<String, Smoothed> pools = networks.getOrDefault(network, Map.of());
        Smoothed time = pools.get(pool);
        return time == null || time.samples < MIN_SAMPLES ? OptionalDouble.empty() : OptionalDouble.of(time.nanos);
    }
}
