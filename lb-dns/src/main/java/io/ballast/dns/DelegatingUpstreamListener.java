package io.ballast.dns;

import io.ballast.core.backend.Backend;
import io.ballast.dns.forward.UpstreamFailureListener;

/**
 * Forwards events to a listener that is set after construction. Thread safety: may be called from any thread.
 */
final class DelegatingUpstreamListener implements UpstreamFailureListener {

    private volatile UpstreamFailureListener listener = (backend, reason) -> {};

    void setListener(UpstreamFailureListener next) {
        listener = next;
    }

    @Override
    public void onQueryFailed(Backend backend) {
        listener.onQueryFailed(backend);
    }

    @Override
    public void onQueryUnanswered(Backend backend) {
        listener.onQueryUnanswered(backend);
    }

    @Override
    public void onRepeatedFailures(Backend backend, String reason) {
        listener.onRepeatedFailures(backend, reason);
    }
}
