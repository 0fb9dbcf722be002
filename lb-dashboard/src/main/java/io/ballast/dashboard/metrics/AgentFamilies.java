package io.ballast.dashboard.metrics;

import io.ballast.dashboard.source.AgentDirectory.Counts;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Builds the metric families of agents for one metrics document. They have no samples if no agent can report. */
final class AgentFamilies {

    private AgentFamilies() {}

    /** A number of agents in one state. */
    private record InState(String state, long agents) {}

    static List<MetricFamily<?>> of(Optional<Counts> counts) {
        List<Counts> subjects = counts.stream().toList();
        List<InState> states = subjects.stream()
                .flatMap(now -> List.of(
                        new InState("reporting", now.agents()),
                        new InState("stale", now.stale()),
                        new InState("pending", now.pending()))
                        .stream())
                .toList();
        return List.of(
                new MetricFamily<>(
                        BallastMeter.AGENTS,
                        states,
                        (text, each) -> text.setLabels(LabelSet.of(BallastMeter.AGENTS.labels(), each.state()))
                                .sample(each.agents())),
                family(BallastMeter.AGENT_BACKENDS, subjects, Counts::backends),
                family(BallastMeter.AGENT_REDUCED_BACKENDS, subjects, Counts::reduced),
                family(BallastMeter.AGENT_REPORTS, subjects, Counts::reports),
                family(BallastMeter.AGENT_REFUSED_REQUESTS, subjects, Counts::refused),
                family(BallastMeter.AGENT_LATENCIES, subjects, Counts::latencies));
    }

    private static MetricFamily<Counts> family(
            BallastMeter meter, List<Counts> subjects, ToLongFunction<Counts> value) {
        return new MetricFamily<>(
                meter, subjects, (text, counts) -> text.setLabels(LabelSet.NONE).sample(value.applyAsLong(counts)));
    }
}
