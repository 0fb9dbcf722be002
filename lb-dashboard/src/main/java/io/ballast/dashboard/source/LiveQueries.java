package io.ballast.dashboard.source;

import java.util.List;

/**
 * Queries for the live view.
 *
 * @param total number of queries since the last call
 * @param queries all queries or a sample of them, in order of arrival
 */
public record LiveQueries(long total, List<LoggedQuery> queries) {

    public LiveQueries {
        queries = List.copyOf(queries);
    }
}
