package io.ballast.http.mirror;

import io.ballast.core.pool.Pool;
import io.ballast.http.background.BackgroundRequest;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.h1.wire.ChunkReader;
import io.ballast.http.net.Worker;
import io.ballast.http.policy.RequestCopy;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Copies a request while it is forwarded to a backend, then sends the copy to the mirror's pool. The copy has a known
 * length instead of chunked coding. Event-loop confined.
 */
final class MirroredRequest implements RequestCopy {

    private enum State {
        /** The request was not sent to a backend yet. */
        WAITING,
        COPYING,
        /** The copy was sent, or will not be sent. */
        DECIDED
    }

    private static final byte[] NOTHING = {};
    private static final int FIRST_BYTES = 512;

    private final Mirror mirror;
    private final Worker worker;
    private final Pool pool;
    private final int generation;

    private State state = State.WAITING;
    private byte[] lines = NOTHING;
    private boolean announcesBody;
    private byte[] content = NOTHING;
    private int length;
    /** Removes the chunked coding of the body; null if it has none. */
    private @Nullable ChunkReader chunks;

    MirroredRequest(Mirror mirror, Worker worker, Pool pool, int generation) {
        this.mirror = mirror;
        this.worker = worker;
        this.pool = pool;
        this.generation = generation;
    }

    // ---- the copy

    @Override
    public void head(ByteBuf head, int headBytes, boolean inChunks) {
        if (state == State.DECIDED) {
            return;
        }
        if (state == State.WAITING && !mirror.tryAcquire()) {
            state = State.DECIDED;
            mirror.count(MirrorOutcome.SKIPPED_IN_FLIGHT, worker.index());
            return;
        }
        state = State.COPYING;
        length = 0;
        MirroredHeadReader reader = mirror.reader(worker.index());
        if (!reader.read(head, headBytes)) {
            skip(MirrorOutcome.SKIPPED_INVALID);
        } else if (reader.asksForTunnel()) {
            skip(MirrorOutcome.SKIPPED_TUNNEL);
        } else if (reader.contentLength() > mirror.maxBodyBytes()) {
            skip(MirrorOutcome.SKIPPED_BODY);
        } else {
            lines = reader.keptLines();
            announcesBody = reader.announcesBody();
            chunks = inChunks && reader.isChunked() ? new ChunkReader(this::addAndRelease) : null;
            if (head.readableBytes() > headBytes) {
                body(head.slice(head.readerIndex() + headBytes, head.readableBytes() - headBytes));
            }
        }
    }

    @Override
    public void body(ByteBuf data) {
        if (state != State.COPYING) {
            return;
        }
        if (chunks == null) {
            add(data);
        } else {
            chunks.read(data);
        }
    }

    private void addAndRelease(ByteBuf piece) {
        add(piece);
        piece.release();
    }

    private void add(ByteBuf data) {
        int added = data.readableBytes();
        if (state != State.COPYING) {
            return; // an earlier chunk exceeded the limit
        }
        if (added > mirror.maxBodyBytes() - length) {
            skip(MirrorOutcome.SKIPPED_BODY);
            return;
        }
        if (content.length < length + added) {
            int doubled = Math.min(Math.max(2 * content.length, FIRST_BYTES), mirror.maxBodyBytes());
            content = Arrays.copyOf(content, Math.max(doubled, length + added));
        }
        data.getBytes(data.readerIndex(), content, length, added);
        length += added;
    }

    @Override
    public void complete() {
        if (state == State.COPYING) {
            state = State.DECIDED;
            chunks = null;
            BackgroundRequest request = new BackgroundRequest(
                    pool,
                    generation,
                    head(),
                    Unpooled.wrappedBuffer(content, 0, length),
                    /* hashKey= */ 0,
                    mirror.timeout(),
                    Mirror.MAX_RESPONSE_BYTES);
            lines = NOTHING;
            content = NOTHING;
            worker.background().send(request, new MirroredResponse(mirror, worker.index()));
        }
    }

    private byte[] head() {
        ByteAppender head = new ByteAppender();
        head.append(lines);
        head.append(Mirror.HEADER_LINE);
        if (announcesBody) {
            head.appendAscii("Content-Length: ");
            head.appendDecimal(length);
            head.appendAscii("\r\n");
        }
        head.appendAscii("\r\n");
        return Arrays.copyOf(head.bytes(), head.length());
    }

    @Override
    public void requestEnded() {
        if (state == State.COPYING) {
            skip(MirrorOutcome.SKIPPED_INCOMPLETE);
        }
    }

    private void skip(MirrorOutcome reason) {
        state = State.DECIDED;
        lines = NOTHING;
        content = NOTHING;
        mirror.end(reason, worker.index());
    }
}
