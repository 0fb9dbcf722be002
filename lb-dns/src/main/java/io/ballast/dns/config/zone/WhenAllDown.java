package io.ballast.dns.config.zone;

import io.ballast.core.Checks;
import io.ballast.core.net.IpAddress;
import java.util.List;
import java.util.Optional;

/** The answer of a service while none of its backends in the queried address family is healthy. */
public sealed interface WhenAllDown {

    /** All addresses, with a short TTL, because a health check may be wrong and an empty answer is useless. */
    WhenAllDown ALL = Simple.ALL;

    /** Answers that need no additional settings. */
    enum Simple implements WhenAllDown {
        ALL,
        /** The addresses that were healthy last, with a short TTL; all addresses if none was ever healthy. */
        LAST_HEALTHY,
        /** The response code SERVFAIL, after which resolvers try the next server. */
        SERVFAIL,
        /** An answer without addresses of the queried address family, as if the service had none. */
        NODATA
    }

    /**
     * An answer with fallback addresses instead of the service's own addresses.
     *
     * @param pool the pool whose healthy addresses are the answer; if none is healthy, all its addresses are used
     * @param addresses the answer, if there is no pool
     */
    record Fallback(Optional<String> pool, List<IpAddress> addresses) implements WhenAllDown {

        public Fallback {
            addresses = List.copyOf(addresses);
            Checks.that(pool.isPresent() != !addresses.isEmpty(), "fallback", addresses, "either a pool or addresses");
        }
    }
}
