package io.ballast.dashboard.document;

import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.source.LiveQueries;
import io.ballast.dashboard.source.LoggedQuery;
import java.util.List;

/** Writes queries from the DNS query log. */
public final class QueryJson {

    private static final double MICROS = 1000;

    private QueryJson() {}

    /** Writes the queries logged since the previous message as the field {@code queries} of the stream. */
    static void live(JsonWriter json, LiveQueries live) {
        json.object("queries", () -> {
            json.field("seen", live.total());
            array(json, "sample", live.queries());
        });
    }

    public static void array(JsonWriter json, String name, List<LoggedQuery> queries) {
        json.array(name, () -> queries.forEach(query -> write(json, query)));
    }

    private static void write(JsonWriter json, LoggedQuery query) {
        json.object(() -> {
            json.field("time", query.time().toEpochMilli());
            json.field("client", query.client());
            json.field("transport", query.transport());
            json.field("name", query.name());
            json.field("type", query.type());
            json.field("rcode", query.rcode());
            json.field("outcome", query.outcome());
            json.field("by", query.decidedBy());
            json.field("ms", query.micros() / MICROS);
            json.field("bytes", query.bytes());
        });
    }
}
