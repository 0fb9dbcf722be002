package io.ballast.server;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The backends of a balancer as a table for people, from what its API says of its pools. */
final class BackendTable {

    private static final List<String> HEAD =
            List.of("POOL", "ADDRESS", "STATE", "WEIGHT", "IN FLIGHT", "REQUESTS", "AVG MS", "REASON");

    private static final int FIRST_NUMBER = 3;
    private static final int REASON = 7;

    private final List<List<String>> rows = new ArrayList<>();

    /** @param pools the document {@code /api/v1/pools} */
    BackendTable(Map<String, Object> pools) {
        rows.add(HEAD);
        for (Map<?, ?> pool : objects(pools.get("pools"))) {
            for (Map<?, ?> backend : objects(pool.get("backends"))) {
                rows.add(row(backend));
            }
        }
    }

    private static List<String> row(Map<?, ?> backend) {
        return List.of(
                plain(backend.get("pool")),
                plain(backend.get("addr")),
                plain(backend.get("state")),
                weight(backend),
                plain(backend.get("in_flight")),
                plain(backend.get("total_req_count")),
                plain(backend.get("avg_res_time")),
                plain(backend.get("reason")));
    }

    /** As in "5 (file: 1)" where an operator has given another one. */
    private static String weight(Map<?, ?> backend) {
        String weight = plain(backend.get("weight"));
        return backend.get("weight_order") == null
                ? weight
                : weight + " (file: " + plain(backend.get("file_weight")) + ")";
    }

    private static List<Map<?, ?>> objects(@Nullable Object list) {
        List<Map<?, ?>> objects = new ArrayList<>();
        if (list instanceof List<?> items) {
            for (Object item : items) {
                if (item instanceof Map<?, ?> object) {
                    objects.add(object);
                }
            }
        }
        return objects;
    }

    void print(PrintWriter out) {
        int[] widths = new int[REASON];
        rows.forEach(row -> {
            for (int i = 0; i < REASON; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < REASON; i++) {
                String space = " ".repeat(widths[i] - row.get(i).length());
                line.append(i < FIRST_NUMBER ? row.get(i) + space : space + row.get(i))
                        .append("  ");
            }
            out.println(line.append(row.get(REASON)));
        }
    }

    /** One backend in a line, as in "web/127.0.0.1:80 draining: by order of ann". */
    static String line(Map<String, Object> backend) {
        return plain(backend.get("pool")) + "/" + plain(backend.get("addr")) + " " + plain(backend.get("state")) + ": "
                + plain(backend.get("reason"))
                + (backend.get("weight_order") == null ? "" : "; weight " + weight(backend));
    }

    /** What a terminal shows as it is: texts of checks are what backends sent. */
    static String plain(@Nullable Object value) {
        return Objects.toString(value, "-").replaceAll("[\\p{Cntrl}\\p{Cf}]", "?");
    }
}
