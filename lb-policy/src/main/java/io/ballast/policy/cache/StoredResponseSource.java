package io.ballast.policy.cache;

import static java.util.Objects.requireNonNull;

import io.ballast.http.local.ResponseSink;
import io.ballast.http.local.ResponseSource;
import io.ballast.policy.cache.store.StoredBody;
import io.ballast.policy.cache.store.StoredResponse;
import io.netty.buffer.Unpooled;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sends a stored response to one client, even while the body is still being received. Event-loop confined. */
final class StoredResponseSource implements ResponseSource {

    /** The reason in the access log if the backend did not send the whole body. */
    private static final String BROKEN = "cache_fetch_failed";

    /** Shorter bodies are copied into the buffer of the head. */
    private static final int JOINED_BYTES = 16 * 1024;

    private final StoredResponse response;
    private final Function<StoredResponse, HitHead> heads;
    private @Nullable ResponseSink sink;
    private long position;
    private long end;
    private boolean waiting;
    private boolean released;

    /**
     * @param response is released at the end
     * @param heads composes the head when the response starts
     */
    StoredResponseSource(StoredResponse response, Function<StoredResponse, HitHead> heads) {
        this.response = response;
        this.heads = heads;
    }

    @Override
    public void start(ResponseSink to) {
        sink = to;
        HitHead head = heads.apply(response);
        position = head.from();
        end = head.to();
        int bytes = (int) (position + JOINED_BYTES < end ? 0 : end - position);
        int offset = (int) (position % StoredBody.PIECE_BYTES);
        StoredBody body = response.body();
        if (bytes > 0 && offset + bytes <= StoredBody.PIECE_BYTES && end <= body.availableBytes()) {
            byte[] piece = body.piece((int) (position / StoredBody.PIECE_BYTES));
            position = end;
            to.headWithBody(head.lines().bytes(), head.lines().length(), piece, offset, bytes);
        } else {
            to.head(head.lines().bytes(), head.lines().length());
        }
        resume();
    }

    @Override
    public void resume() {
        ResponseSink to = requireNonNull(sink);
        StoredBody body = response.body();
        long available = body.availableBytes(); // read once: data that is added later wakes this source
        while (position < end && position < available && to.isWritable()) {
            int offset = (int) (position % StoredBody.PIECE_BYTES);
            int length = (int) Math.min(StoredBody.PIECE_BYTES - offset, Math.min(end, available) - position);
            byte[] piece = body.piece((int) (position / StoredBody.PIECE_BYTES));
            position += length;
            to.body(Unpooled.wrappedBuffer(piece, offset, length));
        }
        if (released) {
            return;
        }
        if (position == end) {
            release();
            to.end();
        } else if (position >= available) { // greater if the start of a range has not arrived yet
            awaitMore(to, body, available);
        }
    }

    private void awaitMore(ResponseSink to, StoredBody body, long available) {
        if (body.isBroken()) {
            release();
            to.fail(BROKEN);
        } else if (!waiting) {
            waiting = true;
            body.whenMore(available, () -> to.eventLoop().execute(this::continueWithMore));
        }
    }

    private void continueWithMore() {
        waiting = false;
        if (!released) {
            resume();
        }
    }

    @Override
    public void cancel() {
        release();
    }

    private void release() {
        if (!released) {
            released = true;
            response.release();
        }
    }
}
