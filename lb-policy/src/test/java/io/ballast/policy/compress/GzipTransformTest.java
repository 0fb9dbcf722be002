package io.ballast.policy.compress;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.transform.BodyOutput;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Tests the compressor with output buffers of the minimum size, so that every boundary occurs. */
class GzipTransformTest {

    private final CompressorPool pool = new CompressorPool(/* level= */ 6, /* maxActive= */ 1);

    /** Offers only the minimum room. */
    private static final class Collector implements BodyOutput {

        private final ByteArrayOutputStream all = new ByteArrayOutputStream();
        private ByteBuffer room = ByteBuffer.allocate(0);

        @Override
        public ByteBuffer room() {
            room = ByteBuffer.allocateDirect(MIN_ROOM);
            return room;
        }

        @Override
        public void written(int bytes) {
            byte[] copy = new byte[bytes];
            room.duplicate().rewind().get(copy);
            all.writeBytes(copy);
        }

        byte[] decoded() throws IOException {
            return new GZIPInputStream(new ByteArrayInputStream(all.toByteArray())).readAllBytes();
        }
    }

    @Test
    void reusedCompressorWritesIndependentBodies() throws Exception {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            byte[] body = new byte[random.nextInt(40_000)];
            for (int i = 0; i < body.length; i++) {
                body[i] = (byte) random.nextInt(1 + seed * 5);
            }
            GzipTransform compressor = requireNonNull(pool.acquire());
            Collector output = new Collector();
            int from = 0;
            while (from < body.length) {
                int to = Math.min(body.length, from + 1 + random.nextInt(9000));
                compressor.add(ByteBuffer.wrap(body, from, to - from), output);
                if (random.nextBoolean()) {
                    compressor.flush(output);
                }
                from = to;
            }
            compressor.end(output);
            compressor.release();

            assertThat(output.decoded()).as("seed %s", seed).isEqualTo(body);
        }
    }

    @Test
    void compressorIsReusableAfterIncompleteBody() throws Exception {
        GzipTransform compressor = requireNonNull(pool.acquire());
        compressor.add(ByteBuffer.wrap(new byte[5000]), new Collector());
        compressor.release();
        GzipTransform again = requireNonNull(pool.acquire());
        Collector output = new Collector();
        again.add(ByteBuffer.wrap(new byte[] {1, 2, 3}), output);
        again.end(output);

        assertThat(again).isSameAs(compressor);
        assertThat(output.decoded()).containsExactly(1, 2, 3);
    }

    @Test
    void limitCountsCompressorsInUse() {
        GzipTransform only = requireNonNull(pool.acquire());

        assertThat(pool.acquire()).isNull();
        only.release();
        assertThat(pool.acquire()).isNotNull();
    }
}
