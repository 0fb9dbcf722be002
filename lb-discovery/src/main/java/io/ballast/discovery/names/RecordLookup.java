package io.ballast.discovery.names;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

/** Finds the records of a name. Thread safety: any thread may call it; a call blocks, for seconds in the worst case. */
public interface RecordLookup {

    /**
     * Looks for all addresses of a name, IPv4 and IPv6.
     *
     * @throws UnknownHostException if there is none, or one kind could not be found out; the message says which
     */
    NameLookup.Answer findAll(String name) throws UnknownHostException;

    /**
     * Looks for the services of a name: its SRV records
     * (<a href="https://datatracker.ietf.org/doc/html/rfc2782">RFC 2782</a>).
     *
     * @throws UnknownHostException if there is none, or that could not be found out; the message says which
     */
    Services findServices(String name) throws UnknownHostException;

    /**
     * A service instance.
     *
     * @param priority the lowest one is preferred
     * @param weight its share among those of the same priority
     * @param target a fully qualified name with a final dot
     * @param port 0 to 65535
     * @param addresses of the target, if they were in the answer
     */
    record Service(int priority, int weight, String target, int port, List<InetAddress> addresses) {

        public Service {
            addresses = List.copyOf(addresses);
        }
    }

    /**
     * All services of a name.
     *
     * @param services empty if the name says that there is decidedly none, by the target {@code .}
     * @param ttl how long that holds
     */
    record Services(List<Service> services, Duration ttl) {

        public Services {
            services = List.copyOf(services);
        }
    }
}
