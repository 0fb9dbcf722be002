package io.ballast.http.transform;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;

/** Passes a body through two transforms, one after the other. Event-loop confined. */
public final class ComposedTransform implements BodyTransform {

    private final BodyTransform first;
    private final BodyTransform second;
    private final Between between;

    /** @param first gets the received body; owned by this object, like {@code second} */
    public ComposedTransform(BodyTransform first, BodyTransform second, ByteBufAllocator allocator) {
        this.first = first;
        this.second = second;
        this.between = new Between(allocator.directBuffer(MAX_PIECE_BYTES, MAX_PIECE_BYTES));
    }

    @Override
    public void add(ByteBuffer piece, BodyOutput output) {
        between.output = output;
        first.add(piece, between);
        between.pass();
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
        first.end(between);
        between.pass();
        second.end(output);
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
