package io.ballast.dns.follow;

import io.ballast.dns.answer.data.AddressFamily;
import java.util.function.Consumer;

/** Looks up the addresses of names by querying resolvers. Thread safety: any thread may call it. */
@FunctionalInterface
public interface AddressLookup {

    /**
     * Sends one lookup. Returns immediately, and does not throw.
     *
     * @param name name in lower case, without its trailing dot
     * @param to callback for the result; called once, by any thread, perhaps before this method returns
     */
    void lookUp(String name, AddressFamily family, Consumer<LookupResult> to);
}
