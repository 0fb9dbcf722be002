package io.ballast.dns.zone.service;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.balance.Member;
import io.ballast.core.config.LatencyConfig;
import io.ballast.dns.answer.data.AnswerSource;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.config.zone.TargetConfig.Thresholds;
import io.ballast.dns.zone.pool.PoolAddresses;
import io.ballast.dns.zone.pool.PoolView;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Latency routing: selects the target whose healthy backends answer their checks fastest on average. If no
 * check duration is known yet, or all targets are too slow, it uses the default target. Without a default
 * target, it rotates over all healthy targets. Round-trip times that were learned for the client's network
 * take precedence over check durations.
 */
final class LowestLatencyTarget extends TargetBranch {

    private final List<TargetConfig> configs;
    private final boolean hasDefault;
    private final Function<PoolAddresses, List<Member>> members;
    private final int cursor;
    private final ProbeTimes times;
    private final FastestChoice<Integer> fastest;
    private final @Nullable LearnedChoice learned;
    private int[] eligible = {};
    private Map<Integer, Double> lastTimes = Map.of();

    /**
     * Creates the target.
     *
     * @param configs the configurations of the targets to compare
     * @param inside the compiled targets of {@code configs}, optionally followed by the target to use if no response
     *     time is known or all are too slow
     * @param members function that selects the members of a pool whose times are compared
     * @param cursor index of a cursor that no other target uses
     */
    LowestLatencyTarget(
            List<TargetConfig> configs,
            Thresholds thresholds,
            LatencyConfig latency,
            List<Target> inside,
            Function<PoolAddresses, List<Member>> members,
            int cursor) {
        super(thresholds, inside);
        this.configs = configs;
        this.hasDefault = inside.size() > configs.size();
        this.members = members;
        this.cursor = cursor;
        this.times = new ProbeTimes(latency.alpha());
        this.fastest = new FastestChoice<>(latency);
        this.learned = latency.learned() ? new LearnedChoice(configs, latency) : null;
    }

    @Override
    CompiledTarget choose(List<CompiledTarget> each, PoolView view) {
        eligible = eligible(children().subList(0, configs.size()), each.subList(0, configs.size()));
        CompiledTarget forAll = chooseForAll(each, view);
        return learned == null || !forAll.hasAnswer()
                ? forAll
                : learned.chooseByNetwork(forAll, each, eligible, view.roundTripTimes());
    }

    /** Returns the target for clients of unknown networks. */
    private CompiledTarget chooseForAll(List<CompiledTarget> each, PoolView view) {
        lastTimes = knownTimes(eligible, view);
        List<Integer> chosen = fastest.choose(lastTimes, 1, view.nowNanos());
        if (!chosen.isEmpty()) {
            return each.get(chosen.get(0));
        }
        if (hasDefault && each.get(configs.size()).hasAnswer()) {
            return each.get(configs.size());
        }
        if (eligible.length <= 1) {
            return eligible.length == 0 ? CompiledTarget.nothing(0) : each.get(eligible[0]);
        }
        List<CompiledTarget> several =
                Arrays.stream(eligible).mapToObj(each::get).toList();
        List<AnswerSource> sources =
                several.stream().map(CompiledTarget::requireSource).toList();
        return new CompiledTarget(AnswerSource.roundRobin(sources, cursor), CompiledTarget.addresses(several), 0, 0);
    }

    private Map<Integer, Double> knownTimes(int[] places, PoolView view) {
        Map<Integer, Double> known = new LinkedHashMap<>();
        for (int place : places) {
            average(configs.get(place), view).ifPresent(nanos -> known.put(place, nanos));
        }
        return known;
    }

    private OptionalDouble average(TargetConfig target, PoolView view) {
        return target.pools().stream()
                .flatMap(pool -> members.apply(view.addresses(pool)).stream())
                .map(Member::backend)
                .map(times::of)
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .average();
    }

    @Override
    void recordCheck(Backend backend, HealthStatus.LastCheck check) {
        super.recordCheck(backend, check);
        times.add(backend, check);
    }

    @Override
    boolean isStale(PoolView view) {
        if (super.isStale(view)) {
            return true;
        }
        return !fastest.preview(knownTimes(eligible, view), 1, view.nowNanos()).equals(fastest.chosen());
    }

    @Override
    String rule() {
        return "latency";
    }

    @Override
    String roleOf(int place) {
        if (place >= configs.size()) {
            return "default";
        }
        return lastTimes.containsKey(place)
                ? String.format(Locale.ROOT, "%.1f ms", lastTimes.get(place) / 1e6)
                : "no check time known";
    }

    @Override
    Reason reason(ExplainedClient client, PoolView view) {
        int best = learned == null ? LearnedChoice.NONE : learned.chosenFor(client.network());
        if (best != LearnedChoice.NONE) {
            return new Reason(List.of(best), "the shortest round trip reported for the client's network");
        }
        if (!fastest.chosen().isEmpty()) {
            return new Reason(fastest.chosen(), "its checks are the fastest");
        }
        if (hasDefault && lastCompiledChildren().get(configs.size()).hasAnswer()) {
            return new Reason(List.of(configs.size()), "no known check time is short enough");
        }
        return Reason.of(
                eligible,
                eligible.length == 0
                        ? "no target is healthy"
                        : "no health check has been timed yet; round-robin among these");
    }
}
