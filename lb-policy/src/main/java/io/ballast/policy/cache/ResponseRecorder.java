package io.ballast.policy.cache;

import io.ballast.http.transform.AbsorbingTransform;
import io.ballast.http.transform.BodyOutput;
import io.ballast.http.transform.BodyTransform;
import io.ballast.policy.cache.store.Recording;
import java.nio.ByteBuffer;

/**
 * Records the body of a response, and passes it on unchanged, as fast as the client reads it. The recording does not
 * wait for the client. Event-loop confined.
 */
final class ResponseRecorder implements AbsorbingTransform {

    /** Receives the result of a recording. */
    interface Listener {

        /** Called when the body is complete. The recorded bytes are still needed for the client. */
        void recorded();

        /**
         * Called instead of {@link #recorded} if the body is too long for the store. The recorded bytes are still
         * needed.
         */
        void overflowed();

        /** Called instead of {@link #recorded} if the response has ended before its body was complete. */
        void interrupted();

        /** Called once, after the other methods, when the recorded bytes are no longer needed. */
        void released();

        /** Whether other clients wait for the body. */
        boolean isAwaited();
    }

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Recording recording;
    private final Listener listener;
    /** The number of bytes that were passed on. */
    private long position;
    /** The bytes of the last piece for which the store had no room. They are passed on after the recorded bytes. */
    private ByteBuffer rest = NOTHING;

    /** Whether the recording is complete or has failed. */
    private boolean over;

    private boolean released;

    ResponseRecorder(Recording recording, Listener listener) {
        this.recording = recording;
        this.listener = listener;
    }

    @Override
    public boolean keepsLength() {
        return true;
    }

    @Override
    public boolean absorbs() {
        return !over;
    }

    @Override
    public void add(ByteBuffer piece, BodyOutput output) {
        if (over) {
            pass(piece, output);
        } else if (!recording.add(piece)) {
            rest = ByteBuffer.allocate(piece.remaining()).put(piece).flip();
            over = true;
            listener.overflowed();
        }
    }

    @Override
    public long keptBytes() {
        return recording.length() - position + rest.remaining();
    }

    @Override
    public int resume(BodyOutput output) {
        int written = 0;
        while (position < recording.length() && written < BodyTransform.MAX_PIECE_BYTES) {
            written += passRecorded(output, BodyTransform.MAX_PIECE_BYTES - written);
        }
        if (written == 0 && rest.hasRemaining()) {
            written = rest.remaining();
            pass(rest, output);
            rest = NOTHING;
        }
        if (over && keptBytes() == 0) {
            releaseRecording();
        }
        return written;
    }

    private int passRecorded(BodyOutput output, int max) {
        ByteBuffer room = output.room();
        int start = room.position();
        room.limit(start + Math.min(room.remaining(), max));
        recording.read(position, room);
        int length = room.position() - start;
        position += length;
        output.written(length);
        return length;
    }

    private static void pass(ByteBuffer piece, BodyOutput output) {
        while (piece.hasRemaining()) {
            ByteBuffer room = output.room();
            int length = Math.min(room.remaining(), piece.remaining());
            room.put(piece.duplicate().limit(piece.position() + length));
            piece.position(piece.position() + length);
            output.written(length);
        }
    }

    @Override
    public void received(BodyOutput output) {
        if (!over) {
            over = true;
            listener.recorded();
        }
    }

    @Override
    public boolean outlivesClient() {
        return !over && listener.isAwaited();
    }

    @Override
    public void flush(BodyOutput output) {} // buffered data is written as soon as the client accepts it

    @Override
    public void end(BodyOutput output) {}

    @Override
    public void release() {
        if (!over) {
            over = true;
            listener.interrupted();
        }
        releaseRecording();
    }

    private void releaseRecording() {
        if (!released) {
            released = true;
            listener.released();
        }
    }
}
