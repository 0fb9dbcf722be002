package io.ballast.dns.follow;

import java.net.InetAddress;
import java.util.List;

/** What became of a question for the addresses of a name. */
public sealed interface Reply {

    /**
     * It has some.
     *
     * @param addresses at least one
     * @param ttlSeconds of the answer, the aliases that lead to them included
     */
    record Addresses(List<InetAddress> addresses, int ttlSeconds) implements Reply {

        public Addresses {
            addresses = List.copyOf(addresses);
        }
    }

    /**
     * It has none.
     *
     * @param reason in words
     * @param ttlSeconds for how long that may be believed
     */
    record None(String reason, int ttlSeconds) implements Reply {}

    /**
     * Nothing was said about it.
     *
     * @param reason in words
     */
    record Failed(String reason) implements Reply {}
}
