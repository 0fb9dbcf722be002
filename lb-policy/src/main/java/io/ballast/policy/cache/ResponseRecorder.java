package io.ballast.policy.cache;

import io.ballast.http.transform.BodyOutput;
import io.ballast.http.transform.BodyTransform;
import io.ballast.policy.cache.store.BodyRecording;
import java.nio.ByteBuffer;

/** Passes the body of a response on unchanged, and records it. Event-loop confined. */
final class ResponseRecorder implements BodyTransform {

    /** Gets the result of a recording, once. */
    interface Listener {

        /** Called with a complete body. */
        void recorded(BodyRecording body);

        /** Called if the body is too long for the store. */
        void overflowed();

        /** Called if the response has ended before its body was complete. */
        void interrupted();
    }

    private final BodyRecording recording;
    private final Listener listener;
    private boolean over;

    ResponseRecorder(BodyRecording recording, Listener listener) {
        this.recording = recording;
        this.listener = listener;
    }

    @Override
    public boolean keepsLength() {
        return true;
    }

    @Override
    public void add(ByteBuffer piece, BodyOutput output) {
        if (!over && !recording.add(piece.duplicate())) {
            over = true;
            listener.overflowed();
        }
        while (piece.hasRemaining()) {
            ByteBuffer room = output.room();
            int length = Math.min(room.remaining(), piece.remaining());
            room.put(piece.duplicate().limit(piece.position() + length));
            piece.position(piece.position() + length);
            output.written(length);
        }
    }

    @Override
    public void flush(BodyOutput output) {} // nothing is kept

    @Override
    public void end(BodyOutput output) {
        if (!over) {
            over = true;
            listener.recorded(recording);
        }
    }

    @Override
    public void release() {
        if (!over) {
            over = true;
            recording.discard();
            listener.interrupted();
        }
    }
}
