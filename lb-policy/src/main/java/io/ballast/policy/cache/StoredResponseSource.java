package io.ballast.policy.cache;

import static java.util.Objects.requireNonNull;

import io.ballast.http.local.ResponseSink;
import io.ballast.http.local.ResponseSource;
import io.ballast.policy.cache.store.StoredBody;
import io.ballast.policy.cache.store.StoredResponse;
import io.netty.buffer.Unpooled;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sends a stored response to one client. Event-loop confined. */
final class StoredResponseSource implements ResponseSource {

    private final StoredResponse response;
    private final Function<StoredResponse, HitHead> heads;
    private @Nullable ResponseSink sink;
    private long position;
    private long end;
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
        to.head(head.lines().bytes(), head.lines().length());
        resume();
    }

    @Override
    public void resume() {
        ResponseSink to = requireNonNull(sink);
        StoredBody body = response.body();
        while (position < end && to.isWritable()) {
            int offset = (int) (position % StoredBody.PIECE_BYTES);
            int length = (int) Math.min(StoredBody.PIECE_BYTES - offset, end - position);
            byte[] piece = body.piece((int) (position / StoredBody.PIECE_BYTES));
            position += length;
            to.body(Unpooled.wrappedBuffer(piece, offset, length));
        }
        if (position == end && !released) {
            release();
            to.end();
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
