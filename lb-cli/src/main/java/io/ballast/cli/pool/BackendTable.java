package io.ballast.cli.pool;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.terminal.TextTable;
import java.util.List;

/** Formats the backends of a balancer as a table. */
final class BackendTable {

    private final TextTable table =
            new TextTable(3, "POOL", "ADDRESS", "STATE", "WEIGHT", "IN FLIGHT", "REQUESTS", "AVG MS", "REASON");

    /** @param pools the document {@code /api/v1/pools} */
    public BackendTable(ApiObject pools) {
        for (ApiObject pool : pools.objects("pools")) {
            pool.objects("backends").forEach(backend -> table.add(row(backend)));
        }
    }

    private static String[] row(ApiObject backend) {
        return new String[] {
            backend.text("pool"),
            backend.text("addr"),
            backend.text("state"),
            weight(backend),
            backend.text("in_flight"),
            backend.text("total_req_count"),
            backend.text("avg_res_time"),
            backend.text("reason")
        };
    }

    /** Formats the weight of a backend, as "5 (file: 1)" if an operator has overridden it. */
    private static String weight(ApiObject backend) {
        String weight = backend.text("weight");
        return hasWeightOverride(backend) ? weight + " (file: " + backend.text("file_weight") + ")" : weight;
    }

    private static boolean hasWeightOverride(ApiObject backend) {
        return !backend.object("weight_order").fields().isEmpty();
    }

    public List<String> lines() {
        return table.lines();
    }

    /** Describes a backend in one line: "web/127.0.0.1:80 draining: by order of ann". */
    public static String line(ApiObject backend) {
        return backend.text("pool") + "/" + backend.text("addr") + " " + backend.text("state") + ": "
                + backend.text("reason") + (hasWeightOverride(backend) ? "; weight " + weight(backend) : "");
    }
}
