package io.ballast.cli.status;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.terminal.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The statistics of all nodes of a cluster as lines. Immutable. */
final class ClusterReport {

    private final ApiObject stats;

    ClusterReport(ApiObject stats) {
        this.stats = stats;
    }

    /** Whether the counters of all nodes are known. */
    boolean isComplete() {
        return stats.texts("missing").isEmpty();
    }

    /** Returns the statistics as the API has sent them. */
    Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        stats.fields().forEach((name, value) -> tree.put(String.valueOf(name), value));
        return tree;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        TextTable nodes = new TextTable(1, "node", "requests", "errors", "average", "DNS queries", "");
        stats.objects("nodes")
                .forEach(node -> nodes.add(
                        node.text("name"),
                        node.text("total_req_count"),
                        node.text("errors"),
                        average(node),
                        node.text("dns_queries"),
                        node.text("name").equals(stats.text("node")) ? "this node" : ""));
        lines.addAll(nodes.lines());
        List<String> missing = stats.texts("missing");
        if (!missing.isEmpty()) {
            lines.add("not counted, because they are not connected or send no counters: " + String.join(", ", missing));
        }
        lines.add("");
        TextTable pools = new TextTable(2, "pool", "backend", "requests", "errors", "average", "nodes");
        for (ApiObject pool : stats.objects("pools")) {
            pools.add(pool.text("name"), "", pool.text("total_req_count"), pool.text("errors"), average(pool), "");
            for (ApiObject backend : pool.objects("backends")) {
                pools.add(
                        "",
                        backend.text("addr"),
                        backend.text("total_req_count"),
                        backend.text("errors"),
                        average(backend),
                        backend.text("nodes"));
            }
        }
        lines.addAll(pools.lines());
        return lines;
    }

    private static String average(ApiObject counters) {
        return String.format(Locale.ROOT, "%.1f ms", counters.decimal("avg_res_time"));
    }
}
