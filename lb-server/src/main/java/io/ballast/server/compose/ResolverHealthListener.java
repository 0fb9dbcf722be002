package io.ballast.server.compose;

import io.ballast.core.backend.Backend;
import io.ballast.core.health.HealthMonitor;
import io.ballast.dns.forward.UpstreamFailureListener;

/** Reports the results of forwarded queries to the health monitor. */
record ResolverHealthListener(HealthMonitor health) implements UpstreamFailureListener {

    @Override
    public void queryFailed(Backend backend) {
        health.exchangeFailed(backend);
    }

    @Override
    public void queryUnanswered(Backend backend) {
        health.checkSoon(backend);
    }

    @Override
    public void queriesFailed(Backend backend, String reason) {
        health.requestsFailed(backend, reason);
    }
}
