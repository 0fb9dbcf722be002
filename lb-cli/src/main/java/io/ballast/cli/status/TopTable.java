package io.ballast.cli.status;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.terminal.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The backends of a balancer sorted by activity: backends out of service first, then by requests per second.
 */
final class TopTable {

    private static final Comparator<ApiObject> ORDER = Comparator.comparing(
                    (ApiObject backend) -> backend.flag("is_host_alive"))
            .thenComparing(backend -> -backend.decimal("rps"))
            .thenComparing(backend -> backend.text("pool"))
            .thenComparing(backend -> backend.text("addr"));

    private final List<ApiObject> pools;

    /** @param pools the document {@code /api/v1/pools} */
    public TopTable(ApiObject pools) {
        this.pools = pools.objects("pools");
    }

    public List<String> lines() {
        List<ApiObject> backends = new ArrayList<>();
        long inFlight = 0;
        long healthy = 0;
        for (ApiObject pool : pools) {
            backends.addAll(pool.objects("backends"));
            inFlight += pool.number("in_flight");
            healthy += StatusReport.healthy(pool);
        }
        double rps =
                backends.stream().mapToDouble(backend -> backend.decimal("rps")).sum();
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%s, %d of %d backends in service, %.1f requests/s, %d in flight",
                pools.size() + (pools.size() == 1 ? " pool" : " pools"),
                healthy,
                backends.size(),
                rps,
                inFlight));
        lines.add("");
        TextTable table = new TextTable(
                3, "POOL", "ADDRESS", "STATE", "REQ/S", "SHARE", "IN FLIGHT", "AVG MS", "P99 MS", "ERRORS", "REASON");
        backends.stream().sorted(ORDER).forEach(backend -> table.add(row(backend)));
        lines.addAll(table.lines());
        return lines;
    }

    private static String[] row(ApiObject backend) {
        ApiObject recent = backend.object("recent");
        boolean quiet = recent.number("requests") == 0;
        return new String[] {
            backend.text("pool"),
            backend.text("addr"),
            backend.text("state"),
            formatTenths(backend.decimal("rps")),
            Math.round(backend.decimal("share") * 100) + "%",
            backend.text("in_flight"),
            quiet ? "-" : formatTenths(recent.decimal("avg_res_time")),
            quiet ? "-" : formatTenths(recent.decimal("p99_ms")),
            recent.text("errors"),
            backend.text("reason")
        };
    }

    private static String formatTenths(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
