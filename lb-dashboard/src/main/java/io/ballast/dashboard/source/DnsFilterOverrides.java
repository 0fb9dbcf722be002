package io.ballast.dashboard.source;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Controls the forwarder's filter. Called outside the dashboard's event loop, because an override may write a
 * small file. Every method throws {@link IllegalArgumentException} for an invalid argument, and {@link
 * java.util.NoSuchElementException} for the name of a group or list that does not exist.
 */
public interface DnsFilterOverrides {

    /**
     * Returns the overrides and the current filter state of each client group, as strings, numbers, booleans, lists and
     * maps.
     */
    Map<String, Object> state();

    /**
     * Turns the filter off for a limited time.
     *
     * @param time absent for the default
     * @param group a client group; absent for all groups
     */
    void pause(Optional<Duration> time, Optional<String> group, String who);

    /**
     * Turns the filter on again.
     *
     * @throws IllegalStateException if the group cannot be resumed alone, because all groups were paused together
     */
    void resume(Optional<String> group, String who);

    /** Allows a name and its subdomains. */
    void allow(String name, String who) throws IOException;

    /** Blocks a name and its subdomains. */
    void block(String name, String who) throws IOException;

    /** Fetches a rule list now and accepts it even if it has far fewer rules than before. */
    void acceptList(String list, String who);

    /** Removes the override for a name. */
    void removeOverride(String name, String who) throws IOException;
}
