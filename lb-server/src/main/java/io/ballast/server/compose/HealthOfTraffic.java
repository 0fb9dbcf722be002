package io.ballast.server.compose;

import io.ballast.core.backend.Backend;
import io.ballast.core.health.HealthMonitor;
import io.ballast.http.relay.BackendTrouble;

/** Tells the health monitor what real traffic meets. */
record HealthOfTraffic(HealthMonitor health) implements BackendTrouble {

    @Override
    public void connectFailed(Backend backend, String reason) {
        health.connectFailed(backend, reason);
    }

    @Override
    public void exchangeFailed(Backend backend) {
        health.exchangeFailed(backend);
    }

    @Override
    public void requestsFailed(Backend backend, String reason) {
        health.requestsFailed(backend, reason);
    }
}
