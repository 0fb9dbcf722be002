package io.ballast.cli.agent;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.terminal.TextTable;
import io.ballast.core.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Formats agents and their tokens as lines of text. */
final class AgentText {

    /** The largest number of agents that a list shows. */
    static final int MAX = 1_000;

    private AgentText() {}

    /** @param list the document {@code /api/v1/agents} */
    static List<String> ofAll(ApiObject list) {
        List<ApiObject> agents = list.objects("agents");
        if (agents.isEmpty()) {
            return List.of("no agents");
        }
        TextTable table = new TextTable(3, "AGENT", "STATUS", "REPORT", "BACKENDS", "POOLS", "TOKEN", "CLIENT");
        agents.forEach(agent -> table.add(
                agent.text("id"),
                status(agent),
                report(agent),
                Integer.toString(agent.objects("backends").size()),
                pools(agent),
                agent.text("token"),
                agent.text("client")));
        List<String> lines = new ArrayList<>(table.lines());
        long more = list.number("total") - agents.size();
        if (more > 0) {
            lines.add("and " + more + " more");
        }
        return lines;
    }

    /** @param agent the document {@code /api/v1/agents/{agent}} */
    static List<String> ofOne(ApiObject agent) {
        List<String> lines = new ArrayList<>();
        lines.add(agent.text("id") + ": " + status(agent) + ", report " + report(agent));
        lines.add("pools: " + pools(agent));
        lines.add("registered with token " + agent.text("token") + " at " + agent.text("created"));
        List<ApiObject> backends = agent.objects("backends");
        if (backends.isEmpty()) {
            lines.add("no backends");
            return lines;
        }
        TextTable table = new TextTable(3, "POOL", "ADDRESS", "STATE", "WEIGHT", "SHARE", "REASON");
        backends.forEach(each -> table.add(
                each.text("pool"),
                each.text("address"),
                each.text("state"),
                each.text("weight"),
                each.text("used_percent") + "%"
                        + (each.number("wanted_percent") == each.number("used_percent")
                                ? ""
                                : " (wants " + each.text("wanted_percent") + "%)"),
                each.text("reason")));
        lines.addAll(table.lines());
        return lines;
    }

    /** @param list the document {@code /api/v1/agent-tokens} */
    static List<String> ofTokens(ApiObject list) {
        List<ApiObject> tokens = list.objects("tokens");
        if (tokens.isEmpty()) {
            return List.of("no pool has tokens for agents");
        }
        TextTable table = new TextTable(3, "TOKEN", "STATUS", "EXPIRES", "AGENTS", "POOLS");
        tokens.forEach(token -> table.add(
                token.text("name"),
                status(token),
                token.text("expires"),
                token.text("agents"),
                String.join(", ", token.texts("pools"))));
        return table.lines();
    }

    /** Returns the state of an agent or a token, and whether it applies only to the node that responds. */
    private static String status(ApiObject item) {
        return item.text("status") + (item.flag("committed") ? "" : " (not committed)");
    }

    private static String report(ApiObject agent) {
        if (!agent.fields().containsKey("report_age_seconds")) {
            return agent.flag("stale") ? "stale" : "-";
        }
        String age = DurationText.of(Duration.ofSeconds(agent.number("report_age_seconds"))) + " ago";
        return agent.flag("stale") ? "stale, " + age : age;
    }

    private static String pools(ApiObject agent) {
        List<String> all = new ArrayList<>(agent.texts("pools"));
        agent.texts("pending_pools").forEach(pool -> all.add(pool + " (pending)"));
        return String.join(", ", all);
    }
}
