package io.ballast.http.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests two transforms of which one or both absorb data. */
class ComposedTransformTest {

    private final Collected output = new Collected();

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static ComposedTransform compose(BodyTransform first, BodyTransform second) {
        return new ComposedTransform(first, second, UnpooledByteBufAllocator.DEFAULT);
    }

    /** Passes a whole body to the transforms, as an exchange does while the client is slow at first, and then fast. */
    private void pass(ComposedTransform composed, String... pieces) {
        for (String piece : pieces) {
            if (!composed.absorbs()) {
                drain(composed);
            }
            composed.add(bytes(piece), output);
        }
        composed.received(output);
        drain(composed);
        composed.end(output);
    }

    private void drain(ComposedTransform composed) {
        while (composed.resume(output) > 0) {}
        assertThat(composed.keptBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 100})
    void theFirstAbsorbs(int limit) {
        Absorbing absorbing = new Absorbing(limit);
        ComposedTransform composed = compose(absorbing, new Brackets());

        pass(composed, "abc", "def", "ghi");

        assertThat(output.text().replace("][", "")).isEqualTo("[abcdefghi]!");
        assertThat(absorbing.isReceived).isTrue();
        composed.release();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 100})
    void theSecondAbsorbs(int limit) {
        Absorbing absorbing = new Absorbing(limit);
        ComposedTransform composed = compose(new Brackets(), absorbing);

        pass(composed, "abc", "def", "ghi");

        assertThat(output.text()).isEqualTo("[abc][def][ghi]!");
        assertThat(absorbing.isReceived).as("receives the end while it absorbs").isEqualTo(limit == 100);
        composed.release();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 100})
    void bothAbsorb(int limit) {
        Absorbing first = new Absorbing(limit);
        Absorbing second = new Absorbing(100);
        ComposedTransform composed = compose(first, second);

        pass(composed, "abc", "def", "ghi");

        assertThat(output.text()).isEqualTo("abcdefghi");
        assertThat(second.isReceived).isTrue();
        composed.release();
    }

    /** A slow client delays neither transform. */
    @Test
    void absorbedDataIsWrittenOnlyOnRequest() {
        ComposedTransform composed = compose(new Absorbing(100), new Brackets());

        composed.add(bytes("abc"), output);

        assertThat(composed.absorbs()).isTrue();
        assertThat(composed.keptBytes()).isEqualTo(3);
        assertThat(output.text()).isEmpty();
        composed.release();
    }

    /** Puts each piece in brackets, and an exclamation mark at the end. */
    private static final class Brackets implements BodyTransform {

        @Override
        public void add(ByteBuffer piece, BodyOutput to) {
            write((byte) '[', to);
            while (piece.hasRemaining()) {
                write(piece.get(), to);
            }
            write((byte) ']', to);
        }

        private static void write(byte b, BodyOutput to) {
            to.room().put(b);
            to.written(1);
        }

        @Override
        public void flush(BodyOutput to) {}

        @Override
        public void end(BodyOutput to) {
            write((byte) '!', to);
        }

        @Override
        public void release() {}
    }

    /** Absorbs data until it has received as many bytes as its limit. */
    private static final class Absorbing implements AbsorbingTransform {

        private final int limit;
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private int added;
        private boolean isReceived;

        Absorbing(int limit) {
            this.limit = limit;
        }

        @Override
        public boolean absorbs() {
            return added < limit && !isReceived;
        }

        @Override
        public void add(ByteBuffer piece, BodyOutput to) {
            assertThat(absorbs() || kept.size() == 0)
                    .as("kept data comes first")
                    .isTrue();
            boolean keeps = absorbs();
            added += piece.remaining();
            while (piece.hasRemaining()) {
                kept.write(piece.get());
            }
            if (!keeps) {
                resume(to);
            }
        }

        @Override
        public long keptBytes() {
            return kept.size();
        }

        @Override
        public int resume(BodyOutput to) {
            byte[] all = kept.toByteArray();
            kept.reset();
            for (byte b : all) {
                to.room().put(b);
                to.written(1);
            }
            return all.length;
        }

        @Override
        public void received(BodyOutput to) {
            isReceived = true;
        }

        @Override
        public boolean outlivesClient() {
            return false;
        }

        @Override
        public void flush(BodyOutput to) {}

        @Override
        public void end(BodyOutput to) {
            assertThat(kept.size()).isZero();
        }

        @Override
        public void release() {}
    }

    /** Collects the written bytes. */
    private static final class Collected implements BodyOutput {

        private final ByteArrayOutputStream all = new ByteArrayOutputStream();
        private final ByteBuffer buffer = ByteBuffer.allocate(BodyOutput.MIN_ROOM);

        @Override
        public ByteBuffer room() {
            return buffer.clear();
        }

        @Override
        public void written(int bytes) {
            all.write(buffer.array(), 0, bytes);
        }

        String text() {
            return all.toString(StandardCharsets.US_ASCII);
        }
    }
}
