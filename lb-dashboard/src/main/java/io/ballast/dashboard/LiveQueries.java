package io.ballast.dashboard;

import java.util.List;

/**
 * Queries as they come, for those who look on.
 *
 * @param seen how many there were since the last time
 * @param queries of these, all or a sample, in the order in which they came
 */
public record LiveQueries(long seen, List<LoggedQuery> queries) {

    public LiveQueries {
        queries = List.copyOf(queries);
    }
}
