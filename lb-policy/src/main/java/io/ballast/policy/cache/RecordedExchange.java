package io.ballast.policy.cache;

import io.ballast.policy.cache.store.BodyRecording;
import io.ballast.policy.cache.store.StoredHead;
import io.ballast.policy.cache.store.StoredResponse;
import org.jspecify.annotations.Nullable;

/** Ends a fetch with the recorded response, which other clients get when it is complete. Event-loop confined. */
final class RecordedExchange implements ResponseRecorder.Listener {

    private final CollapsedForwarding forwarding;
    private final CacheLoop loop;
    private final FetchedRequest request;
    /** The fetch that the request leads; null if no other request waits for it. */
    private final @Nullable PendingFetch fetch;

    private final StoredHead head;
    private final BodyRecording recording;
    private @Nullable StoredResponse response;

    RecordedExchange(
            CollapsedForwarding forwarding,
            CacheLoop loop,
            CacheExchange forwarded,
            StoredHead head,
            BodyRecording recording) {
        this.forwarding = forwarding;
        this.loop = loop;
        this.request = forwarded.request();
        this.fetch = forwarded.takeFetch();
        this.head = head;
        this.recording = recording;
    }

    @Override
    public void recorded() {
        StoredResponse created = forwarding.intake().response(head, recording.finish());
        if (created == null) {
            overflowed();
            return;
        }
        response = created;
        forwarding.finish(loop, request, fetch, created);
    }

    @Override
    public void overflowed() {
        forwarding.discard(loop, request, fetch, head.metadata().status());
    }

    @Override
    public void interrupted() {
        forwarding.abandon(fetch);
    }

    @Override
    public void released() {
        StoredResponse created = response;
        if (created == null) {
            recording.discard();
        } else {
            created.release();
        }
    }

    @Override
    public boolean isAwaited() {
        return fetch != null && fetch.isAwaited();
    }
}
