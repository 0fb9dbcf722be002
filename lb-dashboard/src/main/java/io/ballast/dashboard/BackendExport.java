package io.ballast.dashboard;

import io.ballast.dashboard.csv.BackendCsv;
import io.ballast.dashboard.document.StatsJson;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.List;

/** Serves the backends of all pools as JSON or CSV. */
final class BackendExport {

    private static final String CSV = "text/csv; charset=utf-8; header=present";
    private static final String FILE = "attachment; filename=\"backends.csv\"";

    private BackendExport() {}

    static AdminResponse reply(LiveStats live, Request request) {
        String format = request.query().getOrDefault("format", List.of("json")).get(0);
        switch (format) {
            case "json" -> {
                return AdminResponse.json(StatsJson.backends(live));
            }
            case "csv" -> {
                AdminResponse.Chunked table = AdminResponse.of(CSV, new BackendCsv(live.pools()));
                table.headers().set(HttpHeaderNames.CONTENT_DISPOSITION, FILE);
                return table;
            }
            default -> throw HttpProblem.badRequest("format: " + format + " (expected: json or csv)");
        }
    }
}
