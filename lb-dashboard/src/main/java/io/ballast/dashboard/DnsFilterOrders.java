package io.ballast.dashboard;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What the API asks and tells the filter of names outside the zones. Called beside the dashboard's event loop; an order may write
 * a small file. Every method throws {@link IllegalArgumentException} for what does not exist or may not be.
 */
public interface DnsFilterOrders {

    /** What was ordered, and how groups of clients are filtered now, as texts, numbers, truth values, lists and maps. */
    Map<String, Object> state();

    /**
     * Filters nothing for a while.
     *
     * @param time absent for the default
     * @param group of clients; absent for all
     */
    void pause(Optional<Duration> time, Optional<String> group, String who);

    /** Filters again. */
    void resume(Optional<String> group, String who);

    /** Allows a name with all below it. */
    void allow(String name, String who) throws IOException;

    /** Blocks a name with all below it. */
    void block(String name, String who) throws IOException;

    /** Asks for a list of rules now, and takes what comes, however few rules that are. */
    void accept(String list, String who);

    /** Forgets that a name was allowed or blocked. */
    void forget(String name, String who) throws IOException;
}
