package io.ballast.server.names;

import io.ballast.core.Checks;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

/** Finds the addresses of a name. Thread safety: any thread may ask. */
@FunctionalInterface
public interface NameLookup {

    /** How long addresses are believed that come without a time of their own. */
    Duration UNTIMED = Duration.ofSeconds(30);

    /**
     * Looks a name up; blocks, for seconds at worst.
     *
     * @throws UnknownHostException if no address was found, for whatever reason; the message says which
     */
    Answer find(String name) throws UnknownHostException;

    /**
     * Where a name leads.
     *
     * @param addresses one or more
     * @param ttl how long that holds
     */
    record Answer(List<InetAddress> addresses, Duration ttl) {

        public Answer {
            addresses = List.copyOf(addresses);
            Checks.that(!addresses.isEmpty(), "addresses", addresses, "at least one");
        }
    }
}
