package io.ballast.cli.status;

import com.fasterxml.jackson.core.JsonGenerator;
import io.ballast.cli.api.ApiObject;
import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.ConfigArgument;
import io.ballast.cli.api.DashboardApi;
import io.ballast.cli.api.DashboardOptions;
import io.ballast.dashboard.json.JsonWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.net.http.HttpClient;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lb status}: shows the state of a running balancer on one screen. */
@Command(
        name = "status",
        description =
                "Shows the state of a running balancer: version, listeners, policies, pools with usable backends, recent"
                        + " events."
                        + " Exit code 0: every pool has a usable backend; 3: a pool has none; 1: no balancer responds;"
                        + " 2: refused.",
        mixinStandardHelpOptions = true)
public final class StatusCommand implements Callable<Integer> {

    /** The exit code if the command succeeded, but a pool has no usable backend. */
    static final int POOL_OUT_OF_SERVICE = 3;

    /** The exit code if the command succeeded, but the sums do not include all nodes. */
    private static final int NODE_MISSING = 3;

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Mixin
    private ConfigArgument config = new ConfigArgument();

    /** The output format: text for people, JSON for programs. */
    enum Format {
        text,
        json
    }

    @Option(names = "--output", paramLabel = "FORMAT", description = "${COMPLETION-CANDIDATES} (default: text).")
    private Format output = Format.text;

    @Option(
            names = "--cluster",
            description = "Show the sums of all nodes of the cluster, and name those that are missing."
                    + " Exit code 3: a node is missing.")
    private boolean isForCluster;

    @Option(
            names = "--policies",
            description = "Also show the keys that use most of their limits, and the last refusals of policies.")
    private boolean withPolicies;

    @Override
    public Integer call() {
        return isForCluster ? showCluster() : showNode();
    }

    private int showCluster() {
        return dashboard.runWithDashboard(config.file(), (api, out, err) -> {
            ClusterReport report = new ClusterReport(api.fetch(ApiRequest.get("cluster", "stats"), "scope"));
            if (output == Format.json) {
                out.println(json(report.tree()));
            } else {
                report.lines().forEach(out::println);
            }
            return report.isComplete() ? 0 : NODE_MISSING;
        });
    }

    private int showNode() {
        return dashboard.runWithDashboard(config.file(), (api, out, err) -> {
            HttpClient connection = api.createClient();
            ApiObject stats = api.fetch(connection, ApiRequest.get("stats"));
            StatusReport report = new StatusReport(
                    stats,
                    api.fetch(connection, ApiRequest.get("health")),
                    api.fetch(connection, ApiRequest.get("events")),
                    policies(api, connection, stats));
            if (output == Format.json) {
                out.println(json(report.tree()));
            } else {
                report.lines().forEach(out::println);
            }
            return report.isUsable() ? 0 : POOL_OUT_OF_SERVICE;
        });
    }

    /** Fetches the keys and refusals of policies, if there are policies. */
    private PolicyReport policies(DashboardApi api, HttpClient connection, ApiObject stats) throws IOException {
        if (stats.objects("policies").isEmpty()) {
            return new PolicyReport(new ApiObject(Map.of()), withPolicies);
        }
        ApiRequest request = ApiRequest.get("policies")
                .with("keys", withPolicies ? null : PolicyReport.SHORT_KEYS)
                .with("refusals", withPolicies ? null : 0);
        return new PolicyReport(api.fetch(connection, request), withPolicies);
    }

    private static String json(Map<String, Object> tree) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = JsonWriter.FACTORY.createGenerator(text)) {
            new JsonWriter(generator).tree(tree);
        }
        return text.toString();
    }
}
