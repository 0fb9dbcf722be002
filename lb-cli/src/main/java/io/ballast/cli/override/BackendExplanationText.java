package io.ballast.cli.override;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.terminal.TextTable;
import java.util.ArrayList;
import java.util.List;

/** Formats the explanation of a backend as lines of text. */
final class BackendExplanationText {

    private BackendExplanationText() {}

    /** @param explanation the document {@code /api/v1/backends/{pool}/{backend}/explain} */
    static List<String> lines(ApiObject explanation) {
        List<String> lines = new ArrayList<>();
        lines.add(explanation.text("pool") + "/" + explanation.text("backend") + ": " + explanation.text("state")
                + (explanation.flag("takes_traffic") ? ", takes traffic" : ", takes no traffic") + "; decided by "
                + explanation.text("decided_by").replace('_', ' '));
        TextTable levels = new TextTable(3, "", "LEVEL", "STATE", "REASON");
        explanation
                .objects("levels")
                .forEach(level -> levels.add(
                        level.flag("decides") ? "*" : "",
                        level.text("level").replace('_', ' '),
                        level.text("state"),
                        level.text("text")));
        lines.addAll(levels.lines());
        lines.addAll(votes(explanation.object("votes")));
        lines.add("weight: " + weight(explanation.object("weight")));
        ApiObject check = explanation.object("last_check");
        if (!check.fields().isEmpty()) {
            lines.add("last check: " + (check.flag("ok") ? "ok, " : "failed, ") + check.text("text"));
        }
        return lines;
    }

    /** Formats the votes of the nodes of a cluster as a table; returns no lines without a cluster. */
    private static List<String> votes(ApiObject votes) {
        if (votes.fields().isEmpty()) {
            return List.of();
        }
        TextTable table = new TextTable(2, "NODE", "VOTE", "REASON");
        votes.objects("nodes")
                .forEach(node -> table.add(
                        node.text("node") + (node.flag("self") ? " (this node)" : ""),
                        vote(node),
                        node.text("reason")));
        return table.lines();
    }

    private static String vote(ApiObject node) {
        if (node.fields().get("vote") != null) {
            return node.text("vote");
        }
        return node.flag("chosen") ? "none yet" : "does not check";
    }

    /** Describes the weight of a backend, such as "5 by operator ann (file: 1), slow start: 20%". */
    private static String weight(ApiObject weight) {
        ApiObject operator = weight.object("weight_order");
        ApiObject override = weight.object("override");
        String author = "";
        if (!operator.fields().isEmpty()) {
            author = " by operator " + operator.text("who");
        } else if (!override.fields().isEmpty()) {
            author = " by override of " + override.text("source");
        }
        double share = weight.decimal("slow_start_share");
        double load = weight.decimal("load_share");
        boolean isReduced = weight.fields().containsKey("load_share") && load < 1;
        return weight.text("used") + author + " (file: " + weight.text("file") + ")"
                + (share < 1 ? ", slow start: " + Math.round(share * 100) + "%" : "")
                + (isReduced ? ", load: " + Math.round(load * 100) + "%" : "");
    }
}
