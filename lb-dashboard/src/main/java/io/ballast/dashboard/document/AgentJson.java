package io.ballast.dashboard.document;

import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.source.AgentDirectory.Agent;
import io.ballast.dashboard.source.AgentDirectory.Backend;
import io.ballast.dashboard.source.AgentDirectory.Counts;
import io.ballast.dashboard.source.AgentDirectory.Token;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Creates the documents about agents and their tokens. The caller owns the returned buffers. */
public final class AgentJson {

    private AgentJson() {}

    /**
     * Returns a part of the list of agents.
     *
     * @param total the number of all agents
     */
    public static ByteBuf page(List<Agent> agents, int total, Instant now) {
        return JsonWriter.write(json -> json.object(() -> {
            json.field("total", total);
            json.array("agents", () -> agents.forEach(agent -> json.object(() -> fields(json, agent, now))));
        }));
    }

    public static ByteBuf of(Agent agent, Instant now) {
        return JsonWriter.write(json -> json.object(() -> fields(json, agent, now)));
    }

    private static void fields(JsonWriter json, Agent agent, Instant now) {
        json.field("id", agent.id());
        json.field("status", agent.status());
        json.field("token", agent.token());
        texts(json, "pools", agent.pools());
        texts(json, "pending_pools", agent.pendingPools());
        json.field("client", agent.client());
        json.field("created", agent.created().toString());
        agent.lastReport().ifPresent(last -> {
            json.field("last_report", last.toString());
            json.field(
                    "report_age_seconds",
                    Math.max(0, Duration.between(last, now).toSeconds()));
        });
        json.field("stale", agent.isStale());
        json.field("committed", agent.isCommitted());
        json.array("backends", () -> agent.backends().forEach(each -> json.object(() -> backend(json, each))));
    }

    private static void backend(JsonWriter json, Backend backend) {
        json.field("pool", backend.pool());
        json.field("address", backend.address());
        json.field("state", backend.state());
        json.field("reason", backend.reason());
        json.field("weight", backend.weight());
        json.field("wanted_percent", backend.wantedPercent());
        json.field("used_percent", backend.usedPercent());
    }

    /**
     * Writes the number of agents; null if no agent can report to this process. Reports are not counted, so that the
     * text rarely changes.
     */
    static void summary(JsonWriter json, Optional<Counts> counts) {
        if (counts.isEmpty()) {
            json.raw("null");
            return;
        }
        Counts now = counts.get();
        json.object(() -> {
            json.field("agents", now.agents());
            json.field("stale", now.stale());
            json.field("pending", now.pending());
            json.field("backends", now.backends());
            json.field("reduced", now.reduced());
        });
    }

    /** Returns the list of tokens. */
    public static ByteBuf tokens(List<Token> tokens) {
        return JsonWriter.write(json -> json.object(() ->
                json.array("tokens", () -> tokens.forEach(token -> json.object(() -> token(json, token))))));
    }

    public static ByteBuf of(Token token) {
        return JsonWriter.write(json -> json.object(() -> token(json, token)));
    }

    private static void token(JsonWriter json, Token token) {
        json.field("name", token.name());
        texts(json, "pools", token.pools());
        json.field("status", token.status());
        token.expires().ifPresent(time -> json.field("expires", time.toString()));
        json.field("agents", token.agents());
        json.field("committed", token.isCommitted());
    }

    private static void texts(JsonWriter json, String name, List<String> texts) {
        json.array(name, () -> texts.forEach(json::value));
    }
}
