package io.ballast.acme.schedule;

import java.util.concurrent.CompletableFuture;

/** Decides for which names certificates may be ordered on demand. Thread safety: any thread. */
@FunctionalInterface
public interface NamePermission {

    /**
     * Asks whether a certificate may be ordered for a name. Returns immediately.
     *
     * @return whether a certificate may be ordered; the future fails if there is no answer in time
     */
    CompletableFuture<Boolean> isPermitted(String name);
}
