package io.ballast.dns.follow;

import java.net.InetAddress;
import java.util.List;

/** The result of a lookup of a name's addresses. */
public sealed interface LookupResult {

    /**
     * The name has addresses.
     *
     * @param addresses the addresses, at least one
     * @param ttlSeconds TTL of the answer, including the aliases that lead to the addresses
     */
    record Addresses(List<InetAddress> addresses, int ttlSeconds) implements LookupResult {

        public Addresses {
            addresses = List.copyOf(addresses);
        }
    }

    /**
     * The name has no addresses.
     *
     * @param reason plain-text reason
     * @param ttlSeconds negative caching time
     */
    record None(String reason, int ttlSeconds) implements LookupResult {}

    /**
     * The lookup failed.
     *
     * @param reason plain-text reason
     */
    record Failed(String reason) implements LookupResult {}
}
