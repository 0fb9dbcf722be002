package io.ballast.dashboard.source;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Statistics of the DNS forwarder. All methods except {@link #pollLiveQueries} and {@link #pools} are called outside the
 * dashboard's event loop and may take some milliseconds.
 */
public interface DnsForwarding {

    /** Length of the history in hours. */
    int MAX_HOURS = 24;

    /** Returns whether queries are logged and counted. If not, the other methods return no new data. */
    boolean isLoggingEnabled();

    /** Returns the number of recent queries that the log keeps in memory; 0 if none. */
    int logCapacity();

    /**
     * Returns the most recent queries, newest first.
     *
     * @param limit maximum number of queries
     * @param fits the condition that each returned query meets
     */
    List<LoggedQuery> queries(int limit, Predicate<LoggedQuery> fits);

    /** Returns the sampling rate n: one query in n is logged and counted in the history. */
    int samplingRate();

    /**
     * Returns how many queries the log has dropped since the start. Dropped queries appear neither in the recent
     * queries nor in the history.
     */
    long droppedQueries();

    /**
     * Returns the statistics, summed over the last {@code hours} hours, as strings, numbers, booleans, lists and
     * maps.
     *
     * @param hours 1 to {@value #MAX_HOURS}
     */
    Map<String, Object> history(int hours);

    /** Returns the state of the rule lists as strings, numbers, booleans, lists and maps. */
    List<Map<String, Object>> ruleLists();

    /** Returns the pools whose backends are the upstream resolvers. Called on the event loop. */
    Set<String> pools();

    /** Returns the queries since the last call. Called on the event loop, about once a second. */
    LiveQueries pollLiveQueries();
}
