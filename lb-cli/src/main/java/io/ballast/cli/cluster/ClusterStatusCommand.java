package io.ballast.cli.cluster;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.ConfigArgument;
import io.ballast.cli.api.DashboardOptions;
import io.ballast.cli.terminal.TextTable;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lb cluster status}: shows the cluster from the view of one node. */
@Command(
        name = "status",
        description = "Shows the nodes of the cluster as one node sees them, and the changes that are pending."
                + " Exit code 0: a majority is connected; 3: it is not, or changes are pending; 2: refused;"
                + " 1: no balancer responds.",
        mixinStandardHelpOptions = true)
final class ClusterStatusCommand implements Callable<Integer> {

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Mixin
    private ConfigArgument config = new ConfigArgument();

    @Override
    public Integer call() {
        return dashboard.runWithDashboard(
                config.file(), (api, out, err) -> print(api.fetch(ApiRequest.get("cluster"), "cluster"), out));
    }

    private static int print(ApiObject cluster, PrintWriter out) {
        boolean hasMajority = cluster.flag("has_majority");
        out.println("cluster " + cluster.text("cluster") + ", seen by " + cluster.text("node") + ": "
                + (hasMajority ? "leader " + cluster.text("leader") : "no majority, changes stay pending"));
        nodes(cluster).lines().forEach(out::println);
        List<String> missing = cluster.texts("missing_voters");
        if (!missing.isEmpty()) {
            out.println("voters that are not connected: " + String.join(", ", missing));
        }
        List<ApiObject> pending = cluster.objects("pending");
        pending.forEach(change -> out.println("pending since " + change.text("since") + ": " + change.text("subject")));
        return hasMajority && pending.isEmpty() ? 0 : DashboardOptions.PENDING;
    }

    /** Returns the table of the nodes, with their configurations if a version was applied. */
    private static TextTable nodes(ApiObject cluster) {
        boolean isShared = cluster.object("configuration").number("active") > 0;
        List<String> head = new ArrayList<>(List.of("node", "role", "address", "round trip", "uptime", "certificate"));
        if (isShared) {
            head.add("configuration");
        }
        TextTable table = new TextTable(3, head.toArray(String[]::new));
        for (ApiObject node : cluster.objects("nodes")) {
            List<String> row = new ArrayList<>(List.of(
                    node.text("name"),
                    node.flag("leader") ? "leader" : node.text("role"),
                    node.text("address"),
                    node.fields().containsKey("round_trip_ms")
                            ? String.format(Locale.ROOT, "%.1f ms", node.decimal("round_trip_ms"))
                            : "-",
                    node.number("uptime_seconds") + " s",
                    certificate(node)));
            if (isShared) {
                row.add(SharedVersionText.ofNode(node.object("configuration")));
            }
            table.add(row.toArray(String[]::new));
        }
        return table;
    }

    /** Returns for how long a node's certificate is still valid, such as "89 d"; "-" if it is not known. */
    private static String certificate(ApiObject node) {
        if (!node.fields().containsKey("certificate_end")) {
            return "-";
        }
        Duration left = Duration.between(Clock.systemUTC().instant(), Instant.parse(node.text("certificate_end")));
        return left.isNegative() ? "ended" : left.toDays() + " d";
    }
}
