package io.ballast.dns.follow;

import io.ballast.core.pool.Registration;
import io.ballast.dns.answer.data.AddressFamily;
import java.util.Set;
import java.util.function.Consumer;

/** The addresses of names outside the zones. Thread safety: any thread may call it. */
public interface AliasAddresses {

    /** An instance without alias targets and without addresses. */
    AliasAddresses NONE = new AliasAddresses() {
        @Override
        public FollowedAddresses addressesOf(String name, AddressFamily family) {
            return FollowedAddresses.NOT_FOLLOWED;
        }

        @Override
        public Registration onChange(Consumer<Set<String>> listener) {
            return () -> {};
        }
    };

    /**
     * Returns the current addresses of a name. Cost: one lookup in memory; allocates one object.
     *
     * @param name name in any case, with or without its trailing dot
     */
    FollowedAddresses addressesOf(String name, AddressFamily family);

    /**
     * Registers {@code listener}, which receives the names whose addresses, state or TTL have changed. The names
     * are in lower case, without their trailing dots. Changes that occur before the listener is called are
     * combined.
     */
    Registration onChange(Consumer<Set<String>> listener);
}
