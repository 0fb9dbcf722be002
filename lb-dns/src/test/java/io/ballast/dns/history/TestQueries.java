package io.ballast.dns.history;

import io.ballast.dns.querylog.AnsweredQuery;
import io.ballast.dns.querylog.Outcome;
import java.time.Instant;

/** Makes answered queries for tests. */
final class TestQueries {

    private TestQueries() {}

    static AnsweredQuery at(Instant time, String name, Outcome outcome) {
        return of(time, "192.0.2.1", name, outcome, "", 100);
    }

    /** Makes a query that a resolver has answered with an error code. */
    static AnsweredQuery answered(Instant time, String rcode, String by) {
        return new AnsweredQuery(
                time.toEpochMilli(),
                "",
                "udp",
                "e",
                "A",
                rcode,
                Outcome.MISS,
                by,
                /* micros= */ 20_000,
                /* responseBytes= */ 12);
    }

    static AnsweredQuery of(Instant time, String client, String name, Outcome outcome, String by, long micros) {
        return new AnsweredQuery(
                time.toEpochMilli(), client, "udp", name, "A", "NOERROR", outcome, by, micros, /* responseBytes= */ 64);
    }
}
