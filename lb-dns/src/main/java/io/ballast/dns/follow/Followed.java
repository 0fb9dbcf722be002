package io.ballast.dns.follow;

import io.ballast.core.pool.Registration;
import io.ballast.dns.answer.AddressFamily;
import java.util.Set;
import java.util.function.Consumer;

/** The addresses of names outside the zones. Thread safety: any thread may call it. */
public interface Followed {

    /** Follows no names. */
    Followed NONE = new Followed() {
        @Override
        public FollowedAddresses of(String name, AddressFamily family) {
            return FollowedAddresses.NOT_FOLLOWED;
        }

        @Override
        public Registration onChange(Consumer<Set<String>> listener) {
            return () -> {};
        }
    };

    /**
     * The addresses of a name at this moment. Cost: a look-up, and one object.
     *
     * @param name in any case, with or without its last dot
     */
    FollowedAddresses of(String name, AddressFamily family);

    /**
     * Has {@code listener} told of names, in lower case and without their last dots, that have other addresses, another state or
     * another TTL than before. What changes while it has not been told yet is told together.
     */
    Registration onChange(Consumer<Set<String>> listener);
}
