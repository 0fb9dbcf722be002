package io.ballast.dashboard.document;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus.LastCheck;
import io.ballast.core.health.explain.BackendExplanation;
import io.ballast.core.health.explain.BackendExplanation.Level;
import io.ballast.core.health.explain.BackendExplanation.Weight;
import io.ballast.core.vote.VoteReport;
import io.ballast.dashboard.json.JsonWriter;
import io.netty.buffer.ByteBuf;

/** Creates the document that explains a backend. */
public final class ExplanationJson {

    private ExplanationJson() {}

    /** Returns the document; the caller owns the buffer. */
    public static ByteBuf of(String pool, String backend, BackendExplanation explained) {
        return JsonWriter.write(json -> json.object(() -> {
            json.field("pool", pool);
            json.field("backend", backend);
            json.field("state", explained.state().label());
            json.field("takes_traffic", explained.takesTraffic());
            json.field(
                    "decided_by",
                    explained.levels().stream()
                            .filter(Level::decides)
                            .map(level -> level.authority().label())
                            .findFirst()
                            .orElse(""));
            json.array("levels", () -> explained.levels().forEach(level -> json.object(() -> level(json, level))));
            json.object("weight", () -> weight(json, explained.weight()));
            lastCheck(json, explained.lastCheck());
            explained
                    .votes()
                    .ifPresentOrElse(
                            votes -> json.object("votes", () -> votes(json, votes)), () -> json.nullField("votes"));
        }));
    }

    private static void level(JsonWriter json, Level level) {
        json.field("level", level.authority().label());
        level.state().ifPresentOrElse(state -> json.field("state", state.label()), () -> json.nullField("state"));
        json.field("text", level.text());
        json.field("decides", level.decides());
    }

    private static void weight(JsonWriter json, Weight weight) {
        json.field("used", weight.used());
        json.field("file", weight.file());
        OverrideJson.weightField(json, weight.operator());
        weight.override()
                .ifPresentOrElse(
                        override -> json.object("override", () -> ExternalOverrideJson.fields(json, override)),
                        () -> json.nullField("override"));
        json.field("slow_start_share", (double) weight.slowStartTenths() / Backend.ALL_TENTHS);
        json.field("load_share", (double) weight.loadTenths() / Backend.ALL_TENTHS);
    }

    private static void votes(JsonWriter json, VoteReport votes) {
        json.field("quorum", votes.quorum().toString());
        json.field("voters", votes.voters());
        votes.result().ifPresent(count -> {
            json.field("needed", count.needed());
            json.field("up", count.up());
            json.field("kept", count.isKept());
        });
        json.array(
                "nodes",
                () -> votes.nodes()
                        .forEach(node -> json.object(() -> {
                            json.field("node", node.node());
                            json.field("self", node.isSelf());
                            json.field("chosen", node.isChosen());
                            node.vote()
                                    .ifPresentOrElse(
                                            vote -> json.field("vote", vote.label()), () -> json.nullField("vote"));
                            node.vote().ifPresent(vote -> json.field("reason", vote.reason()));
                        })));
    }

    private static void lastCheck(JsonWriter json, LastCheck check) {
        if (check.text().isEmpty()) {
            json.nullField("last_check");
            return;
        }
        json.object("last_check", () -> {
            json.field("ok", check.ok());
            json.field("text", check.text());
        });
    }
}
