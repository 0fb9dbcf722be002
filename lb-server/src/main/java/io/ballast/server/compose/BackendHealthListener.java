package io.ballast.server.compose;

import io.ballast.core.backend.Backend;
import io.ballast.core.health.HealthMonitor;
import io.ballast.http.relay.BackendFailureListener;

/** Reports the results of real traffic to the health monitor. */
record BackendHealthListener(HealthMonitor health) implements BackendFailureListener {

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
        health.requestEjection(backend, reason);
    }
}
