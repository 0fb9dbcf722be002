package io.ballast.http.transform;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Passes a body through two transforms, one after the other; each of them may absorb data. Event-loop confined. */
public final class ComposedTransform implements AbsorbingTransform {

    private final BodyTransform first;
    private final BodyTransform second;
    /** The first transform if it may absorb data; null otherwise. */
    private final @Nullable AbsorbingTransform absorbingFirst;
    /** The second transform if it may absorb data; null otherwise. */
    private final @Nullable AbsorbingTransform absorbingSecond;

    private final Between between;
    private boolean firstEnded;

    /** @param first receives the original body; owned by this object, like {@code second} */
    public ComposedTransform(BodyTransform first, BodyTransform second, ByteBufAllocator allocator) {
        this.first = first;
        this.second = second;
        this.absorbingFirst = first instanceof AbsorbingTransform absorbing ? absorbing : null;
        this.absorbingSecond = second instanceof AbsorbingTransform absorbing ? absorbing : null;
        this.between = new Between(allocator.directBuffer(MAX_PIECE_BYTES, MAX_PIECE_BYTES));
    }

    @Override
    public void add(ByteBuffer piece, BodyOutput output) {
        between.output = output;
        passKept();
        first.add(piece, between);
        between.pass();
        passKept();
    }

    /**
     * Passes kept data to the second transform if it absorbs data, or if the first transform must write its kept data.
     */
    private void passKept() {
        if (absorbingFirst != null && (!absorbingFirst.absorbs() || absorbs(absorbingSecond))) {
            while (absorbingFirst.resume(between) > 0) {
                between.pass();
            }
        }
    }

    @Override
    public void flush(BodyOutput output) {
        between.output = output;
        first.flush(between);
        between.pass();
        second.flush(output);
    }

    @Override
    public void end(BodyOutput output) {
        between.output = output;
        endFirst();
        second.end(output);
    }

    private void endFirst() {
        if (!firstEnded) {
            firstEnded = true;
            first.end(between);
            between.pass();
        }
    }

    // ---- absorbed data

    @Override
    public boolean absorbs() {
        return absorbs(absorbingFirst) || absorbs(absorbingSecond);
    }

    private static boolean absorbs(@Nullable AbsorbingTransform transform) {
        return transform != null && transform.absorbs();
    }

    @Override
    public long keptBytes() {
        return keptBytes(absorbingFirst) + keptBytes(absorbingSecond);
    }

    private static long keptBytes(@Nullable AbsorbingTransform transform) {
        return transform == null ? 0 : transform.keptBytes();
    }

    @Override
    public int resume(BodyOutput output) {
        between.output = output;
        int written = absorbingFirst == null ? 0 : absorbingFirst.resume(between);
        between.pass();
        return written > 0 || absorbingSecond == null ? written : absorbingSecond.resume(output);
    }

    @Override
    public void received(BodyOutput output) {
        between.output = output;
        if (absorbingFirst != null) {
            absorbingFirst.received(between);
        }
        if (absorbingSecond != null && absorbingSecond.absorbs()) {
            passKept();
            endFirst();
            absorbingSecond.received(output);
        }
    }

    @Override
    public boolean outlivesClient() {
        return (absorbingFirst != null && absorbingFirst.outlivesClient())
                || (absorbingSecond != null && absorbingSecond.outlivesClient());
    }

    @Override
    public boolean keepsLength() {
        return first.keepsLength() && second.keepsLength();
    }

    @Override
    public void release() {
        first.release();
        second.release();
        between.buffer.release();
    }

    /** Collects the output of the first transform, and passes it to the second. */
    private final class Between implements BodyOutput {

        private final ByteBuf buffer;
        private BodyOutput output = this;

        private Between(ByteBuf buffer) {
            this.buffer = buffer;
        }

        @Override
        public ByteBuffer room() {
            if (buffer.writableBytes() < MIN_ROOM) {
                pass();
            }
            return buffer.internalNioBuffer(buffer.writerIndex(), buffer.writableBytes());
        }

        @Override
        public void written(int bytes) {
            buffer.writerIndex(buffer.writerIndex() + bytes);
        }

        private void pass() {
            if (buffer.isReadable()) {
                second.add(buffer.nioBuffer(), output);
                buffer.clear();
            }
        }
    }
}
