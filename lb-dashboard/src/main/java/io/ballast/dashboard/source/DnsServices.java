package io.ballast.dashboard.source;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Access to the services of the DNS frontend. {@link #explain} and {@link #flushCache} are called outside the
 * dashboard's event loop and may take a while; other commands return at once.
 */
public interface DnsServices {

    /**
     * Explains the answer of a service, as strings, numbers, booleans, lists and maps.
     *
     * @param type a record type that the service has, such as A or MX
     * @param from the client's address or network; absent for an unknown client
     * @throws IllegalArgumentException for an invalid name or type
     * @throws NoSuchElementException if there is no such service, or it has no records of the type
     * @throws IOException if a database cannot be read
     */
    Map<String, Object> explain(String name, String type, Optional<Cidr> from) throws IOException;

    /** Returns all services in the order of the configuration. */
    List<ListedService> services();

    /**
     * A service.
     *
     * @param name fully qualified; several services may have the same name
     * @param types its record types, in the form that {@link #explain} accepts
     */
    record ListedService(String name, List<String> types) {}

    /**
     * Removes answers from the forwarder's cache: all answers, or only those for a name.
     *
     * @param below whether answers for subdomains are also removed
     * @param type record type; absent for all
     * @throws IllegalArgumentException for an invalid name or type
     * @throws io.ballast.core.control.RejectedChangeException if the cluster rejects the removal, so that other nodes
     *     do not perform it
     */
    FlushResult flushCache(Optional<String> name, boolean below, Optional<String> type);

    /**
     * Returns the forwarder's filter.
     *
     * @throws NoSuchElementException if there is no filter
     */
    DnsFilterOverrides filter();

    /**
     * Returns the state of each secondary zone, in the order of the configuration, as strings, numbers and
     * booleans.
     */
    default List<Map<String, Object>> secondaryZones() {
        return List.of();
    }

    /**
     * Starts a refresh of a secondary zone from its primaries, and returns without waiting for its end. Returns false
     * if there is no such zone.
     */
    default boolean refreshZone(String zone) {
        return false;
    }

    /** Adds round-trip time reports; returns immediately. */
    void addRoundTrips(List<RoundTrip> reports);

    /**
     * A measured round-trip time.
     *
     * @param client an address in the client's network
     * @param pool the pool at the measuring site
     * @param time above zero
     */
    record RoundTrip(IpAddress client, String pool, Duration time) {}
}
