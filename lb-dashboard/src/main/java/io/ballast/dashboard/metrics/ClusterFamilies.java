package io.ballast.dashboard.metrics;

import io.ballast.dashboard.source.ClusterStats;
import io.ballast.dashboard.source.SharedConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Builds the metric families of the cluster for one metrics document. They have no samples outside of a cluster. */
final class ClusterFamilies {

    private ClusterFamilies() {}

    /** @param now the current time, for the age of pending changes */
    static List<MetricFamily<?>> of(Optional<ClusterStats> stats, Instant now) {
        List<ClusterStats> subjects = stats.stream().toList();
        return List.of(
                family(
                        BallastMeter.CLUSTER_NODES,
                        subjects,
                        each -> each.nodes().size()),
                family(
                        BallastMeter.CLUSTER_VOTERS_MISSING,
                        subjects,
                        each -> each.missingVoters().size()),
                family(BallastMeter.CLUSTER_HAS_MAJORITY, subjects, each -> each.hasMajority() ? 1 : 0),
                family(BallastMeter.CLUSTER_LEADER, subjects, each -> each.isLeader() ? 1 : 0),
                family(BallastMeter.CLUSTER_APPLIED, subjects, ClusterStats::applied),
                family(BallastMeter.CLUSTER_FACTS, subjects, ClusterStats::facts),
                family(
                        BallastMeter.CLUSTER_PENDING,
                        subjects,
                        each -> each.pending().size()),
                new MetricFamily<>(
                        BallastMeter.CLUSTER_PENDING_AGE,
                        subjects,
                        (text, each) -> text.setLabels(LabelSet.NONE).sampleNanos(pendingNanos(each, now))),
                family(BallastMeter.CLUSTER_REJECTED, subjects, ClusterStats::rejected),
                family(BallastMeter.CLUSTER_REFUSED_CONNECTIONS, subjects, ClusterStats::refused),
                family(BallastMeter.CLUSTER_FAILED_HANDSHAKES, subjects, ClusterStats::failedHandshakes),
                family(BallastMeter.CLUSTER_DROPPED_MESSAGES, subjects, ClusterStats::dropped),
                new MetricFamily<>(
                        BallastMeter.CLUSTER_ROUND_TRIP,
                        stats.map(ClusterStats::otherNodes).orElse(List.of()),
                        (text, node) -> text.setLabels(
                                        LabelSet.of(BallastMeter.CLUSTER_ROUND_TRIP.labels(), node.name()))
                                .sampleNanos(node.roundTripNanos())),
                family(
                        BallastMeter.CLUSTER_OWN_ROWS,
                        subjects,
                        each -> each.observations().ownRows()),
                family(
                        BallastMeter.CLUSTER_OTHER_ROWS,
                        subjects,
                        each -> each.observations().otherRows()),
                family(
                        BallastMeter.CLUSTER_SENT_FRAMES,
                        subjects,
                        each -> each.observations().sent()),
                family(
                        BallastMeter.CLUSTER_RECEIVED_FRAMES,
                        subjects,
                        each -> each.observations().received()),
                family(
                        BallastMeter.CLUSTER_LOST_FRAMES,
                        subjects,
                        each -> each.observations().lost()),
                family(
                        BallastMeter.CLUSTER_REFUSED_ROWS,
                        subjects,
                        each -> each.observations().refused()),
                family(
                        BallastMeter.CLUSTER_OTHER_VOTES,
                        subjects,
                        each -> each.votes().others()),
                family(
                        BallastMeter.CLUSTER_OVERRULED_BACKENDS,
                        subjects,
                        each -> each.votes().overruled()),
                family(
                        BallastMeter.CLUSTER_OVERRULED,
                        subjects,
                        each -> each.votes().overrulings()),
                family(BallastMeter.CLUSTER_CONFIGURATION_VERSION, subjects, ClusterFamilies::versionInUse),
                family(
                        BallastMeter.CLUSTER_CONFIGURATION_ACTIVE,
                        subjects,
                        each -> each.configuration().active()),
                family(
                        BallastMeter.CLUSTER_CONFIGURATION_OUTDATED,
                        subjects,
                        each -> each.configuration().isOutdated() ? 1 : 0),
                family(
                        BallastMeter.CLUSTER_CONFIGURATION_FAILURES,
                        subjects,
                        each -> each.configuration().failures()),
                family(
                        BallastMeter.CLUSTER_UNCHECKED_BACKENDS,
                        subjects,
                        each -> each.votes().unchecked()),
                family(
                        BallastMeter.CLUSTER_LIMIT_SENT,
                        subjects,
                        each -> each.limits().sentBytes()),
                family(
                        BallastMeter.CLUSTER_LIMIT_RECEIVED,
                        subjects,
                        each -> each.limits().receivedBytes()),
                family(
                        BallastMeter.CLUSTER_LIMIT_LOST,
                        subjects,
                        each -> each.limits().lost()),
                new MetricFamily<>(
                        BallastMeter.CLUSTER_CERTIFICATE_EXPIRY,
                        stats.map(ClusterFamilies::certified).orElse(List.of()),
                        (text, node) -> text.setLabels(
                                        LabelSet.of(BallastMeter.CLUSTER_CERTIFICATE_EXPIRY.labels(), node.name()))
                                .sample(node.certificateEnd().orElseThrow().getEpochSecond())));
    }

    /** The nodes with a certificate whose expiry time is known. */
    private static List<ClusterStats.Node> certified(ClusterStats stats) {
        return stats.nodes().stream()
                .filter(node -> node.certificateEnd().isPresent())
                .toList();
    }

    private static long versionInUse(ClusterStats stats) {
        return stats.configuration()
                .of(stats.node())
                .map(SharedConfiguration.NodeState::version)
                .orElse(0L);
    }

    /**
     * Returns the age of the oldest pending change; 0 if there is none, or if the clock was set back since the change.
     */
    private static long pendingNanos(ClusterStats stats, Instant now) {
        return stats.pendingSince()
                .map(since -> Math.max(0, Duration.between(since, now).toNanos()))
                .orElse(0L);
    }

    private static MetricFamily<ClusterStats> family(
            BallastMeter meter, List<ClusterStats> subjects, ToLongFunction<ClusterStats> value) {
        return new MetricFamily<>(
                meter, subjects, (text, stats) -> text.setLabels(LabelSet.NONE).sample(value.applyAsLong(stats)));
    }
}
