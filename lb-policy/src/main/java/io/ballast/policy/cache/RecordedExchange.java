package io.ballast.policy.cache;

import io.ballast.policy.cache.store.BodyRecording;
import io.ballast.policy.cache.store.StoredHead;
import io.ballast.policy.cache.store.StoredResponse;

/** Ends a fetch with the result of its recording. Event-loop confined. */
final class RecordedExchange implements ResponseRecorder.Listener {

    private final CollapsedForwarding forwarding;
    private final CacheLoop loop;
    private final CacheExchange forwarded;
    private final StoredHead head;

    RecordedExchange(CollapsedForwarding forwarding, CacheLoop loop, CacheExchange forwarded, StoredHead head) {
        this.forwarding = forwarding;
        this.loop = loop;
        this.forwarded = forwarded;
        this.head = head;
    }

    @Override
    public void recorded(BodyRecording body) {
        StoredResponse response = forwarding.intake().response(head, body.finish());
        if (response == null) {
            overflowed();
            return;
        }
        forwarding.finish(loop, forwarded, response);
        response.release();
    }

    @Override
    public void overflowed() {
        forwarding.discard(loop, forwarded, head.metadata().status());
    }

    @Override
    public void interrupted() {
        forwarding.abandon(forwarded);
    }
}
