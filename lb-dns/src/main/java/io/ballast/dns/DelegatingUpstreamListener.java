package io.ballast.dns;

import io.ballast.core.backend.Backend;
import io.ballast.dns.forward.UpstreamFailureListener;

/** Forwards events to the listener that is set later. Thread safety: any thread may call it. */
final class DelegatingUpstreamListener implements UpstreamFailureListener {

    private volatile UpstreamFailureListener listener = (backend, reason) -> {};

    void tell(UpstreamFailureListener next) {
        listener = next;
    }

    @Override
    public void queryFailed(Backend backend) {
        listener.queryFailed(backend);
    }

    @Override
    public void queryUnanswered(Backend backend) {
        listener.queryUnanswered(backend);
    }

    @Override
    public void queriesFailed(Backend backend, String reason) {
        listener.queriesFailed(backend, reason);
    }
}
