package io.ballast.cli.cluster;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.ConfigArgument;
import io.ballast.cli.api.DashboardOptions;
import io.ballast.cli.terminal.TextTable;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lb cluster history}: lists the versions of the configuration. */
@Command(
        name = "history",
        description = "Lists the last versions of the cluster's configuration: at most 20, fewer if they are large."
                + " Exit code 0: done; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
final class ClusterHistoryCommand implements Callable<Integer> {

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Mixin
    private ConfigArgument config = new ConfigArgument();

    @Override
    public Integer call() {
        return dashboard.runWithDashboard(config.file(), (api, out, err) -> {
            print(api.fetch(ApiRequest.get("cluster", "configuration"), "versions"), out);
            return 0;
        });
    }

    private static void print(ApiObject history, PrintWriter out) {
        List<ApiObject> versions = history.objects("versions");
        if (versions.isEmpty()) {
            out.println("no version was applied: each node uses its own file");
            return;
        }
        TextTable table = new TextTable(6, "version", "state", "time", "author", "hash", "note");
        for (ApiObject version : versions) {
            table.add(
                    version.text("number"),
                    version.text("state"),
                    version.text("time"),
                    version.text("author"),
                    SharedVersionText.hash(version),
                    note(version));
        }
        table.lines().forEach(out::println);
    }

    private static String note(ApiObject version) {
        String note = SharedVersionText.optional(version, "note");
        if (version.number("rollback_of") > 0) {
            note = "content of version " + version.number("rollback_of") + (note.isEmpty() ? "" : "; " + note);
        }
        String reason = SharedVersionText.optional(version, "reason");
        return reason.isEmpty() ? note : note + (note.isEmpty() ? "" : "; ") + reason;
    }
}
