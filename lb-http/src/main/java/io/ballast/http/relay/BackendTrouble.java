package io.ballast.http.relay;

import io.ballast.core.backend.Backend;

/** Hears of backends that real traffic could not reach. Called on event loops; must be cheap. */
@FunctionalInterface
public interface BackendTrouble {

    void connectFailed(Backend backend, String reason);
}
