package io.ballast.core.control;

import java.util.concurrent.CompletableFuture;

/** Reloads the configuration as a whole or not at all. Thread safety: any thread may call it. */
@FunctionalInterface
public interface Reloader {

    /**
     * Reloads, one call after the other; returns at once.
     *
     * @param dryRun whether only to say what would change
     * @param who asks for it, as the timeline is to name it: {@code SIGHUP}, {@code api}
     * @return what became of it; does not fail but for a defect
     */
    CompletableFuture<ReloadReport> reload(boolean dryRun, String who);
}
