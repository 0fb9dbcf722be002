package io.ballast.dashboard.document;

import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.source.ClusterStats;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Writes the state of the cluster. */
public final class ClusterJson {

    private static final double NANOS_PER_MILLI = 1e6;

    private ClusterJson() {}

    /** Writes a summary of bounded size as a JSON value; null if this process is not in a cluster. */
    static void summary(JsonWriter json, Optional<ClusterStats> cluster) {
        cluster.ifPresentOrElse(present -> json.object(() -> summary(json, present)), () -> json.raw("null"));
    }

    private static void summary(JsonWriter json, ClusterStats cluster) {
        json.field("name", cluster.cluster());
        json.field("node", cluster.node());
        cluster.leader().ifPresentOrElse(leader -> json.field("leader", leader), () -> json.nullField("leader"));
        json.field("has_majority", cluster.hasMajority());
        json.field("voters", cluster.voters().size());
        json.array("missing_voters", () -> cluster.missingVoters().forEach(json::value));
        json.field("pending", cluster.pending().size());
        cluster.pendingSince().ifPresent(since -> json.field("pending_since", since.toString()));
    }

    /** @param now the current time, for the age of pending changes and the uptime of nodes */
    public static ByteBuf of(ClusterStats cluster, Instant now) {
        return JsonWriter.write(json -> json.object(() -> {
            json.field("cluster", cluster.cluster());
            json.field("node", cluster.node());
            json.field("has_majority", cluster.hasMajority());
            cluster.leader().ifPresent(leader -> json.field("leader", leader));
            json.array("voters", () -> cluster.voters().forEach(json::value));
            json.array("missing_voters", () -> cluster.missingVoters().forEach(json::value));
            json.array(
                    "nodes", () -> cluster.nodes().forEach(node -> json.object(() -> node(json, cluster, node, now))));
            json.field("applied", cluster.applied());
            json.field("facts", cluster.facts());
            json.field("unknown_facts", cluster.unknownFacts());
            json.array(
                    "pending",
                    () -> cluster.pending()
                            .forEach(change -> json.object(() -> {
                                json.field("subject", change.subject());
                                json.field(
                                        "since",
                                        change.since()
                                                .truncatedTo(ChronoUnit.SECONDS)
                                                .toString());
                            })));
            json.field("rejected_changes", cluster.rejected());
            json.field("refused_connections", cluster.refused());
            json.field("failed_handshakes", cluster.failedHandshakes());
            json.field("dropped_messages", cluster.dropped());
            json.object("observations", () -> observations(json, cluster.observations()));
            json.object("votes", () -> votes(json, cluster.votes()));
            json.object("configuration", () -> configuration(json, cluster.configuration()));
            json.object("limits", () -> limits(json, cluster.limits()));
        }));
    }

    private static void observations(JsonWriter json, ClusterStats.Observations observations) {
        json.field("own_rows", observations.ownRows());
        json.field("other_rows", observations.otherRows());
        json.field("sent_frames", observations.sent());
        json.field("received_frames", observations.received());
        json.field("lost_frames", observations.lost());
        json.field("refused_rows", observations.refused());
    }

    private static void votes(JsonWriter json, ClusterStats.Votes votes) {
        json.field("others", votes.others());
        json.field("overruled", votes.overruled());
        json.field("overrulings", votes.overrulings());
        json.field("unchecked", votes.unchecked());
    }

    private static void configuration(JsonWriter json, ClusterStats.Configuration configuration) {
        json.field("active", configuration.active());
        json.field("outdated", configuration.isOutdated());
        json.field("failures", configuration.failures());
    }

    private static void limits(JsonWriter json, ClusterStats.LimitMessages limits) {
        json.field("sent_bytes", limits.sentBytes());
        json.field("received_bytes", limits.receivedBytes());
        json.field("lost_messages", limits.lost());
    }

    private static void node(JsonWriter json, ClusterStats cluster, ClusterStats.Node node, Instant now) {
        json.field("name", node.name());
        json.field("address", node.address());
        json.field("role", node.isVoter() ? "voter" : "follower");
        json.field("leader", cluster.leader().filter(node.name()::equals).isPresent());
        json.field(
                "uptime_seconds",
                Math.max(0, Duration.between(node.started(), now).toSeconds()));
        if (node.roundTripNanos() > 0) {
            json.field("round_trip_ms", node.roundTripNanos() / NANOS_PER_MILLI);
        }
        cluster.configuration()
                .of(node.name())
                .ifPresent(state -> json.object("configuration", () -> SharedConfigurationJson.node(json, state)));
        node.certificateEnd()
                .ifPresent(end -> json.field(
                        "certificate_end", end.truncatedTo(ChronoUnit.SECONDS).toString()));
    }
}
