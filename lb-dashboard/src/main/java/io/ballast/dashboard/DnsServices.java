package io.ballast.dashboard;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the API asks and tells the services of the DNS frontend. Questions are asked beside the dashboard's event loop and
 * may take a while; what is told returns at once.
 */
public interface DnsServices {

    /**
     * Says why a service answers what it answers, as texts, numbers, truth values, lists and maps.
     *
     * @param type of records that the service has, such as A or MX
     * @param from the client's address or network; absent for nobody in particular
     * @throws IllegalArgumentException if there is no such service or type
     * @throws IOException if a database cannot be read
     */
    Map<String, Object> explain(String name, String type, Optional<Cidr> from) throws IOException;

    /** All services, in the order of the configuration. */
    List<ListedService> services();

    /**
     * A service.
     *
     * @param name absolute; several services may have it
     * @param types of its records, as {@link #explain} takes them
     */
    record ListedService(String name, List<String> types) {}

    /**
     * Forgets answers of resolvers: all, or those about a name.
     *
     * @param below whether names below it are forgotten too
     * @param type of the records
     * @return how many
     * @throws IllegalArgumentException if that is no name, or no type
     */
    int flush(Optional<String> name, boolean below, Optional<String> type);

    /**
     * The filter of names outside the zones.
     *
     * @throws IllegalArgumentException if there can be none
     */
    DnsFilterOrders filter();

    /** How the zones fare that come from other servers, as texts, numbers and truth values; in their order. */
    default List<Map<String, Object>> secondaryZones() {
        return List.of();
    }

    /** Has the primaries of such a zone asked; returns at once, whether there is such a zone. */
    default boolean refreshZone(String zone) {
        return false;
    }

    /** Takes in reports; returns at once. */
    void learn(List<RoundTrip> reports);

    /**
     * How long a round trip took.
     *
     * @param client whose network it was
     * @param pool from whose site
     * @param time above zero
     */
    record RoundTrip(IpAddress client, String pool, Duration time) {}
}
