package io.ballast.discovery.names;

import io.ballast.core.Checks;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Looks up the addresses of a name. Thread safety: may be called from any thread. */
@FunctionalInterface
public interface NameLookup {

    /** Lifetime of addresses if the lookup returns no TTL. */
    Duration DEFAULT_TTL = Duration.ofSeconds(30);

    /**
     * Resolves a name. Blocks the calling thread, in the worst case for seconds.
     *
     * @throws UnknownHostException if no address was found; the message states the reason
     */
    Answer find(String name) throws UnknownHostException;

    /**
     * Like {@link #find}, but with the addresses of both families instead of one.
     *
     * @throws UnknownHostException if no address was found, or the query for one family failed
     */
    default Answer findAll(String name) throws UnknownHostException {
        return find(name);
    }

    /** Returns a lookup that delegates to the lookup of {@code supplier}, which is called for the first query. */
    static NameLookup deferred(Supplier<NameLookup> supplier) {
        return new NameLookup() {
            @Override
            public Answer find(String name) throws UnknownHostException {
                return supplier.get().find(name);
            }

            @Override
            public Answer findAll(String name) throws UnknownHostException {
                return supplier.get().findAll(name);
            }
        };
    }

    /**
     * The result of a lookup.
     *
     * @param addresses one or more
     * @param ttl how long the addresses are valid
     */
    record Answer(List<InetAddress> addresses, Duration ttl) {

        public Answer {
            addresses = List.copyOf(addresses);
            Checks.that(!addresses.isEmpty(), "addresses", addresses, "at least one");
        }
    }
}
