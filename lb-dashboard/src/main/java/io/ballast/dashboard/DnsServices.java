package io.ballast.dashboard;

import io.ballast.core.net.IpAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the API asks and tells the services of the DNS frontend. Called on the dashboard's thread. */
public interface DnsServices {

    /**
     * Says why a service answers what it answers, as texts, numbers, truth values, lists and maps.
     *
     * @param type A or AAAA
     * @param from the client's address; absent for nobody in particular
     * @throws IllegalArgumentException if there is no such service or type
     * @throws IOException if a database cannot be read
     */
    Map<String, Object> explain(String name, String type, Optional<IpAddress> from) throws IOException;

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
