package io.ballast.core.control;

import java.util.concurrent.CompletableFuture;

/** Reloads the configuration as a whole or not at all. Thread safety: any thread may call it. */
@FunctionalInterface
public interface Reloader {

    /**
     * Reloads the configuration; calls are serialized; returns immediately.
     *
     * @param dryRun whether only to report the differences
     * @param who the requester in the timeline: {@code SIGHUP}, {@code api}
     * @return the result; fails only for a defect
     */
    CompletableFuture<ReloadReport> reload(boolean dryRun, String who);
}
