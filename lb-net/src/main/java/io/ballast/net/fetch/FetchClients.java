package io.ballast.net.fetch;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Shares one client among all owners that trust the same authorities, so that threads and file descriptors do not grow
 * with the number of owners. A client lives as long as an owner refers to it. Thread-safe.
 */
public final class FetchClients {

    private final Map<Optional<CaFile>, WeakReference<FetchClient>> clients = new HashMap<>(); // guarded by this

    /**
     * Returns the client that trusts these authorities.
     *
     * @param ca the authorities that verify servers; empty for the authorities that the Java runtime trusts
     */
    public synchronized FetchClient of(Optional<CaFile> ca) {
        WeakReference<FetchClient> known = clients.get(ca);
        @Nullable FetchClient shared = known == null ? null : known.get();
        if (shared == null) {
            clients.values().removeIf(client -> client.refersTo(null));
            shared = new FetchClient(ca);
            clients.put(ca, new WeakReference<>(shared));
        }
        return shared;
    }
}
