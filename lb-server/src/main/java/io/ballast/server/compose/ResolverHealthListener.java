package io.ballast.server.compose;

import io.ballast.core.backend.Backend;
import io.ballast.core.health.HealthMonitor;
import io.ballast.dns.forward.UpstreamFailureListener;

/** Tells the health monitor what queries meet at resolvers. */
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
