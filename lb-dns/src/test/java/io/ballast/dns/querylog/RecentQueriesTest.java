package io.ballast.dns.querylog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentQueriesTest {

    @Test
    void keepsLastQueries() {
        RecentQueries last = new RecentQueries(/* maxBytes= */ 100_000);
        last.maxQueries(2);

        for (String name : new String[] {"one", "two", "three"}) {
            last.add(query(name));
        }

        assertThat(last.newest(9, query -> true))
                .extracting(AnsweredQuery::name)
                .containsExactly("three", "two");
        assertThat(last.newest(1, query -> true))
                .extracting(AnsweredQuery::name)
                .containsExactly("three");
        assertThat(last.newest(9, query -> query.name().equals("two"))).hasSize(1);
        last.maxQueries(0);
        assertThat(last.newest(9, query -> true)).isEmpty();
    }

    @Test
    void isBoundedByMemory() {
        RecentQueries last = new RecentQueries(/* maxBytes= */ 10_000);
        last.maxQueries(1_000_000);

        for (int i = 0; i < 1_000; i++) {
            last.add(query("x".repeat(800)));
        }

        assertThat(last.newest(1_000, query -> true)).hasSize(9);
    }

    private static AnsweredQuery query(String name) {
        return new AnsweredQuery(0, "192.0.2.1", "udp", name, "A", "NOERROR", Outcome.HIT, "", 1, 1);
    }
}
