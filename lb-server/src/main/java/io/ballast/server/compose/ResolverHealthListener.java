package io.ballast.server.compose;

import io.ballast.core.backend.Backend;
import io.ballast.core.health.HealthMonitor;
import io.ballast.dns.forward.UpstreamFailureListener;

/** Reports the results of forwarded queries to the health monitor. */
record ResolverHealthListener(HealthMonitor health) implements UpstreamFailureListener {

    @Override
    public void onQueryFailed(Backend backend) {
        health.exchangeFailed(backend);
    }

    @Override
    public void onQueryUnanswered(Backend backend) {
        health.checkSoon(backend);
    }

    @Override
    public void onRepeatedFailures(Backend backend, String reason) {
        health.requestEjection(backend, reason);
    }
}
