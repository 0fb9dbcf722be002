package io.ballast.core.control;

import java.util.concurrent.CompletableFuture;

/** Reloads the configuration, either completely or not at all. Thread safety: any thread may call it. */
@FunctionalInterface
public interface Reloader {

    /**
     * Reloads the configuration; calls are serialized; returns immediately.
     *
     * @param dryRun whether to report the differences only
     * @param who the requester in the timeline, such as {@code SIGHUP} or {@code api}
     * @return the result; the future fails only because of a bug
     */
    CompletableFuture<ReloadReport> reload(boolean dryRun, String who);
}
