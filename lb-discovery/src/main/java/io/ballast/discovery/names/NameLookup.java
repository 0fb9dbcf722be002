package io.ballast.discovery.names;

import io.ballast.core.Checks;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

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
     * The same with the addresses of both families, where {@link #find} is content with those of one.
     *
     * @throws UnknownHostException if no address was found, or one of the families could not be asked for
     */
    default Answer findAll(String name) throws UnknownHostException {
        return find(name);
    }

    /** Asks the lookup that {@code supplier} returns, which is not called before the first question. */
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
