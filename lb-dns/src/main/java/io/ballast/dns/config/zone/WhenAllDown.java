package io.ballast.dns.config.zone;

import io.ballast.core.Checks;
import io.ballast.core.net.IpAddress;
import java.util.List;
import java.util.Optional;

/** The answer of a service while none of its backends of an address family is healthy. */
public sealed interface WhenAllDown {

    /** Every address, for a short time: a check may be wrong, and no answer is of no use. */
    WhenAllDown ALL = Simple.ALL;

    /** Answers that need nothing further. */
    enum Simple implements WhenAllDown {
        ALL,
        /** The addresses that were healthy last, for a short time; all if none ever was. */
        LAST_HEALTHY,
        /** The response code SERVFAIL: resolvers try the next server. */
        SERVFAIL,
        /** No addresses of the family, as if there were none. */
        NODATA
    }

    /**
     * Other addresses.
     *
     * @param pool whose healthy addresses are the answer, all of them if none is
     * @param addresses the answer, if there is no pool
     */
    record Fallback(Optional<String> pool, List<IpAddress> addresses) implements WhenAllDown {

        public Fallback {
            addresses = List.copyOf(addresses);
            Checks.that(pool.isPresent() != !addresses.isEmpty(), "fallback", addresses, "a pool, or addresses");
        }
    }
}
