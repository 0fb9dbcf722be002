package io.ballast.dashboard.source;

import io.ballast.core.health.explain.BackendExplanation;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Explains the state and the weight of backends. Thread safety: any thread may call. */
@FunctionalInterface
public interface BackendExplanations {

    /**
     * Explains a backend.
     *
     * @param address as written in the configuration
     * @return completes with an empty result if there is no such backend
     */
    CompletableFuture<Optional<BackendExplanation>> explain(String pool, String address);
}
