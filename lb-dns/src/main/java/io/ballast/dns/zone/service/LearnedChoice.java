package io.ballast.dns.zone.service;

import io.ballast.core.config.LatencyConfig;
import io.ballast.dns.answer.data.AnswerSource;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.learn.RoundTripTimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Chooses the target with the shortest known round-trip time for each client network. Another target replaces
 * the chosen one only if its time is shorter by at least the hysteresis.
 *
 * <p>Thread safety: confined to the compiler thread. Cost: linear in networks and targets, for each change.
 */
final class LearnedChoice {

    /** Sentinel: no target. */
    static final int NONE = -1;

    /** Maximum number of targets that are compared for a network; further targets are ignored. */
    private static final int MAX_TARGETS = 127;

    private final List<TargetConfig> configs;
    private final LatencyConfig latency;
    private Map<Long, Integer> chosen = Map.of();

    LearnedChoice(List<TargetConfig> configs, LatencyConfig latency) {
        this.configs = configs;
        this.latency = latency;
    }

    /**
     * Selects the best target for each network.
     *
     * @param forAll the compiled target for unknown networks
     * @param each the compiled form of each target, by index
     * @param eligible indexes of available targets
     */
    CompiledTarget chooseByNetwork(
            CompiledTarget forAll, List<CompiledTarget> each, int[] eligible, RoundTripTimes times) {
        List<Long> networks = times.networks();
        List<CompiledTarget> several = new ArrayList<>();
        several.add(forAll);
        int[] candidates = Arrays.copyOf(eligible, Math.min(eligible.length, MAX_TARGETS));
        for (int place : candidates) {
            several.add(each.get(place));
        }
        byte[] best = new byte[networks.size()];
        Map<Long, Integer> next = new HashMap<>();
        for (int i = 0; i < best.length; i++) {
            long network = networks.get(i);
            int candidate = best(network, candidates, times);
            if (candidate >= 0) {
                best[i] = (byte) (candidate + 1);
                next.put(network, candidates[candidate]);
            }
        }
        chosen = next;
        if (next.isEmpty()) {
            return forAll;
        }
        List<AnswerSource> sources =
                several.stream().map(CompiledTarget::requireSource).toList();
        return new CompiledTarget(
                AnswerSource.byLatency(times.index(), best, sources), CompiledTarget.addresses(several), 0, 0);
    }

    /** Returns the index of the target that was last chosen for a network; {@link #NONE} if no target was chosen. */
    int chosenFor(long network) {
        return chosen.getOrDefault(network, NONE);
    }

    /** Returns the best candidate for a network; -1 if no candidate has a known round-trip time below the limit. */
    private int best(long network, int[] candidates, RoundTripTimes times) {
        Integer before = chosen.get(network);
        double advantage = 1 - latency.hysteresisPercent() / 100.0;
        double bestTime = Double.POSITIVE_INFINITY;
        int best = -1;
        for (int i = 0; i < candidates.length; i++) {
            OptionalDouble time = time(network, configs.get(candidates[i]), times);
            if (time.isPresent() && !isTooSlow(time.getAsDouble())) {
                boolean stays = before != null && before == candidates[i];
                double compared = stays ? time.getAsDouble() * advantage : time.getAsDouble();
                if (compared < bestTime) {
                    bestTime = compared;
                    best = i;
                }
            }
        }
        return best;
    }

    /**
     * Returns the shortest round-trip time from a client network to any pool of a target; empty if none is
     * known.
     */
    private static OptionalDouble time(long network, TargetConfig target, RoundTripTimes times) {
        return target.pools().stream()
                .map(pool -> times.roundTripNanos(network, pool))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .min();
    }

    private boolean isTooSlow(double nanos) {
        return latency.maxLatency().isPresent()
                && nanos > latency.maxLatency().get().toNanos();
    }
}
