package io.ballast.dashboard.document;

import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.source.BackendSum;
import io.ballast.dashboard.source.ClusterSums;
import io.ballast.dashboard.source.NodeSum;
import io.netty.buffer.ByteBuf;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Writes the statistics of all nodes of a cluster. */
public final class ClusterSumsJson {

    /** The maximum number of backends; all further backends are summed for each pool. */
    private static final int MAX_BACKENDS = 20_000;

    private ClusterSumsJson() {}

    /** The counters of a backend, and the number of nodes that report it. */
    private record Row(BackendSum sum, int nodes) {

        Row plus(Row other) {
            return new Row(sum.plus(other.sum), nodes + other.nodes);
        }
    }

    /** Returns the response to {@code GET /stats?scope=cluster}. */
    public static ByteBuf of(ClusterSums cluster, Instant now) {
        Map<String, Map<String, Row>> pools = pools(cluster);
        return JsonWriter.write(json -> json.object(() -> {
            json.field("time", now.toString());
            json.field("scope", "cluster");
            json.field("node", cluster.node());
            json.array("nodes", () -> cluster.nodes().forEach((name, sum) -> json.object(() -> node(json, name, sum))));
            json.array("missing", () -> cluster.missing().forEach(json::value));
            json.array("pools", () -> pools.forEach((name, rows) -> json.object(() -> pool(json, name, rows))));
            json.object(
                    "total",
                    () -> counters(
                            json,
                            sum(cluster.nodes().values().stream()
                                    .flatMap(node -> node.backends().stream())
                                    .toList())));
            json.field(
                    "dns_queries",
                    cluster.nodes().values().stream()
                            .mapToLong(NodeSum::dnsQueries)
                            .sum());
        }));
    }

    private static Map<String, Map<String, Row>> pools(ClusterSums cluster) {
        Map<String, Map<String, Row>> pools = new TreeMap<>();
        int[] backends = {0};
        cluster.nodes()
                .values()
                .forEach(node -> node.backends().forEach(backend -> {
                    Map<String, Row> rows = pools.computeIfAbsent(backend.pool(), added -> new LinkedHashMap<>());
                    boolean isNew = !rows.containsKey(backend.address());
                    String address = isNew && ++backends[0] > MAX_BACKENDS ? "" : backend.address();
                    rows.merge(address, new Row(backend.at(address), 1), Row::plus);
                }));
        return pools;
    }

    private static void node(JsonWriter json, String name, NodeSum sum) {
        json.field("name", name);
        counters(json, sum(sum.backends()));
        json.field("dns_queries", sum.dnsQueries());
    }

    private static void pool(JsonWriter json, String name, Map<String, Row> rows) {
        json.field("name", name);
        counters(json, sum(rows.values().stream().map(Row::sum).toList()));
        json.array(
                "backends",
                () -> rows.forEach((address, row) -> {
                    if (!address.isEmpty()) {
                        json.object(() -> {
                            json.field("addr", address);
                            counters(json, row.sum());
                            json.field("nodes", row.nodes());
                        });
                    }
                }));
        Row other = rows.get("");
        if (other != null) {
            json.object("other", () -> counters(json, other.sum()));
        }
    }

    private static BackendSum sum(Collection<BackendSum> all) {
        return all.stream().reduce(new BackendSum("", "", 0, 0, 0, 0), BackendSum::plus);
    }

    private static void counters(JsonWriter json, BackendSum sum) {
        json.field("total_req_count", sum.requests());
        json.field("errors", sum.errors());
        json.field("avg_res_time", sum.averageMillis());
    }
}
