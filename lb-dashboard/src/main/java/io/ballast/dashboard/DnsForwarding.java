package io.ballast.dashboard;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What the forwarder of the DNS frontend tells about its queries. All but {@link #takeLive} and {@link #pools} are asked beside
 * the dashboard's event loop and may take some milliseconds.
 */
public interface DnsForwarding {

    /** How far back the history goes. */
    int MOST_HOURS = 24;

    /** Whether queries are logged and counted; if not, nothing is added to what the others tell. */
    boolean isLogged();

    /** How many of the last queries the log keeps in memory; 0 if none. */
    int memory();

    /**
     * The last queries, newest first.
     *
     * @param limit most that are told
     * @param fits which are
     */
    List<LoggedQuery> queries(int limit, Predicate<LoggedQuery> fits);

    /** One in so many queries is logged and counted in the history, by chance. */
    int sample();

    /** How many queries the log could not take in since the start: they are neither among the last nor in the history. */
    long dropped();

    /**
     * Sums of the last hours, as texts, numbers, truth values, lists and maps.
     *
     * @param hours 1 to {@value #MOST_HOURS}
     */
    Map<String, Object> history(int hours);

    /** How the lists of rules fare, likewise. */
    List<Map<String, Object>> lists();

    /** The pools whose backends are the resolvers that are asked. Called on the event loop. */
    Set<String> pools();

    /** Takes what came since the last call. Called on the event loop, about once a second. */
    LiveQueries takeLive();
}
