package io.ballast.dns.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.history.QuerySample.Taken;
import io.ballast.dns.querylog.AnsweredQuery;
import io.ballast.dns.querylog.Outcome;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class QuerySampleTest {

    private final QuerySample sample = new QuerySample(20, new SplittableRandom(1));

    @Test
    void containsAllOfFewQueries() {
        query(0, 3);

        Taken taken = sample.drain();

        assertThat(taken.seenCount()).isEqualTo(3);
        assertThat(taken.queries()).extracting(AnsweredQuery::name).containsExactly("0", "1", "2");
        assertThat(sample.drain()).isEqualTo(new Taken(0, java.util.List.of()));
    }

    @Test
    void samplesManyQueriesInOrder() {
        query(0, 10_000);

        Taken taken = sample.drain();

        assertThat(taken.seenCount()).isEqualTo(10_000);
        assertThat(taken.queries()).hasSize(20);
        assertThat(taken.queries().stream().map(query -> Integer.parseInt(query.name())))
                .isSorted()
                .anyMatch(place -> place < 2_500)
                .anyMatch(place -> place >= 7_500);
    }

    private void query(int from, int many) {
        for (int i = from; i < from + many; i++) {
            sample.onAnswer(TestQueries.at(Instant.EPOCH, Integer.toString(i), Outcome.HIT));
        }
    }
}
