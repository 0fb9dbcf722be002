package io.ballast.discovery.names;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

/**
 * Looks up the records of a name. Thread safety: may be called from any thread; a call blocks, in the worst
 * case for seconds.
 */
public interface RecordLookup {

    /**
     * Looks up all IPv4 and IPv6 addresses of a name.
     *
     * @throws UnknownHostException if the name has no addresses, or the query for one family failed; the message
     *     states the cause
     */
    NameLookup.Answer findAll(String name) throws UnknownHostException;

    /**
     * Looks up the services of a name: its SRV records
     * (<a href="https://datatracker.ietf.org/doc/html/rfc2782">RFC 2782</a>).
     *
     * @throws UnknownHostException if the name has no SRV records, or the query failed; the message states the
     *     cause
     */
    Services findServices(String name) throws UnknownHostException;

    /**
     * A service instance, from one SRV record.
     *
     * @param priority the lowest priority is preferred
     * @param weight its share of traffic among the instances of the same priority
     * @param target a fully qualified name with a final dot
     * @param port 0 to 65535
     * @param addresses addresses of the target, if they were in the answer
     */
    record Service(int priority, int weight, String target, int port, List<InetAddress> addresses) {

        public Service {
            addresses = List.copyOf(addresses);
        }
    }

    /**
     * All services of a name.
     *
     * @param services empty if the SRV record has the target {@code .}: the service is explicitly not available
     * @param ttl how long the services are valid
     */
    record Services(List<Service> services, Duration ttl) {

        public Services {
            services = List.copyOf(services);
        }
    }
}
