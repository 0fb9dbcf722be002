package io.ballast.dashboard;

import io.ballast.dashboard.csv.BackendCsv;
import io.ballast.dashboard.json.StatsJson;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.server.Problem;
import io.ballast.dashboard.server.Reply;
import io.ballast.dashboard.server.Request;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.List;

/** The backends of all pools in one table, as JSON or, for spreadsheets, as comma-separated values. */
final class BackendExport {

    private static final String CSV = "text/csv; charset=utf-8; header=present";
    private static final String FILE = "attachment; filename=\"backends.csv\"";

    private BackendExport() {}

    static Reply reply(LiveStats live, Request request) {
        String format = request.query().getOrDefault("format", List.of("json")).get(0);
        switch (format) {
            case "json" -> {
                return Reply.json(StatsJson.backends(live));
            }
            case "csv" -> {
                Reply.Pieces table = Reply.of(CSV, new BackendCsv(live.pools()));
                table.headers().set(HttpHeaderNames.CONTENT_DISPOSITION, FILE);
                return table;
            }
            default -> throw Problem.badRequest("format: " + format + " (expected: json or csv)");
        }
    }
}
