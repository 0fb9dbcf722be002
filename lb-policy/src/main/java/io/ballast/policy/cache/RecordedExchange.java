package io.ballast.policy.cache;

import io.ballast.policy.cache.store.BodyRecording;
import io.ballast.policy.cache.store.StoredHead;
import io.ballast.policy.cache.store.StoredResponse;

/** Ends a fetch with the result of its recording. Event-loop confined. */
final class RecordedExchange implements ResponseRecorder.Listener {

    private final CachePolicy policy;
    private final CacheLoop loop;
    private final CacheExchange forwarded;
    private final StoredHead head;

    RecordedExchange(CachePolicy policy, CacheLoop loop, CacheExchange forwarded, StoredHead head) {
        this.policy = policy;
        this.loop = loop;
        this.forwarded = forwarded;
        this.head = head;
    }

    @Override
    public void recorded(BodyRecording body) {
        StoredResponse response = policy.intake().response(head, body.finish());
        if (response == null) {
            overflowed();
            return;
        }
        policy.finish(loop, forwarded.takeFetch(), forwarded.request(), response);
        response.release();
    }

    @Override
    public void overflowed() {
        policy.discard(loop, forwarded, head.metadata().status());
    }

    @Override
    public void interrupted() {
        policy.abandon(forwarded);
    }
}
