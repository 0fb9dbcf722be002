package io.ballast.policy.compress;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.transform.BodyOutput;
import io.ballast.http.transform.BodyTransform;
import io.ballast.policy.config.CompressionConfig;
import io.ballast.policy.config.ContentCoding;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the compressors with output buffers of the minimum size, so that every boundary occurs. */
class CompressorsTest {

    private final CompressorPool pool =
            new CompressorPool(CompressionConfig.of(List.of(ContentCoding.values())), /* maxActive= */ 1);

    CompressorsTest() {
        assertThat(NativeCodings.usable(List.of(ContentCoding.values()))).hasSize(3); // loads the libraries
    }

    /** Collects the output, and offers only the minimum room for each piece. */
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

        byte[] decoded(ContentCoding coding) throws IOException {
            try (InputStream in = Decoders.of(coding.token(), new ByteArrayInputStream(all.toByteArray()))) {
                return in.readAllBytes();
            }
        }

        /** Decodes the first bytes of a body that has not ended. */
        byte[] decodedSoFar(ContentCoding coding, int length) throws IOException {
            try (InputStream in = Decoders.streaming(coding.token(), new ByteArrayInputStream(all.toByteArray()))) {
                byte[] decoded = new byte[length];
                for (int i = 0; i < length; i++) {
                    decoded[i] = (byte) in.read(); // a longer read would wait for bytes that have not been sent
                }
                return decoded;
            }
        }
    }

    private static byte[] body(Random random, int kinds) {
        byte[] body = new byte[random.nextInt(60_000)];
        for (int i = 0; i < body.length; i++) {
            body[i] = (byte) random.nextInt(kinds);
        }
        return body;
    }

    /** Returns a part of the body in a heap buffer or a direct buffer. */
    private static ByteBuffer piece(byte[] body, int from, int to, boolean isDirect) {
        ByteBuffer whole = ByteBuffer.wrap(body, from, to - from);
        return isDirect ? ByteBuffer.allocateDirect(to - from).put(whole).flip() : whole;
    }

    @ParameterizedTest
    @EnumSource
    void reusedCompressorWritesIndependentBodies(ContentCoding coding) throws Exception {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            byte[] body = body(random, 1 + seed * 5);
            CompressedBody compressed = requireNonNull(pool.begin(coding));
            Collector output = new Collector();
            int from = 0;
            while (from < body.length) {
                int to = Math.min(body.length, from + 1 + random.nextInt(BodyTransform.MAX_PIECE_BYTES));
                compressed.add(piece(body, from, to, random.nextBoolean()), output);
                if (random.nextBoolean()) {
                    compressed.flush(output);
                }
                from = to;
            }
            compressed.end(output);
            compressed.release();

            assertThat(output.decoded(coding)).as("seed %s", seed).isEqualTo(body);
        }
    }

    @ParameterizedTest
    @EnumSource
    void flushedBytesAreDecodable(ContentCoding coding) throws Exception {
        Random random = new Random(1);
        CompressedBody compressed = requireNonNull(pool.begin(coding));
        Collector output = new Collector();
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        for (int i = 0; i < 20; i++) {
            byte[] event = body(random, 200);
            int length = Math.min(event.length, 3000);
            sent.write(event, 0, length);
            compressed.add(piece(event, 0, length, /* isDirect= */ true), output);
            compressed.flush(output);

            assertThat(output.decodedSoFar(coding, sent.size())).isEqualTo(sent.toByteArray());
        }
        compressed.release();
    }

    @ParameterizedTest
    @EnumSource
    void emptyBodyIsValid(ContentCoding coding) throws Exception {
        CompressedBody compressed = requireNonNull(pool.begin(coding));
        Collector output = new Collector();
        compressed.flush(output);
        compressed.end(output);

        assertThat(output.decoded(coding)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void incompleteBodyLeavesNothingToTheNext(ContentCoding coding) throws Exception {
        CompressedBody compressed = requireNonNull(pool.begin(coding));
        compressed.add(ByteBuffer.wrap(new byte[5000]), new Collector());
        compressed.release();
        CompressedBody again = requireNonNull(pool.begin(coding));
        Collector output = new Collector();
        again.add(ByteBuffer.wrap(new byte[] {1, 2, 3}), output);
        again.end(output);

        assertThat(output.decoded(coding)).containsExactly(1, 2, 3);
    }

    @ParameterizedTest
    @EnumSource
    void limitCountsBodiesInCompression(ContentCoding coding) {
        CompressedBody only = requireNonNull(pool.begin(ContentCoding.GZIP));

        assertThat(pool.begin(coding)).isNull();
        only.release();
        assertThat(pool.begin(coding)).isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void bodiesThatArriveOneAfterAnotherShareACompressor(ContentCoding coding) {
        AtomicInteger created = new AtomicInteger();
        CompressorPool counting = new CompressorPool(
                List.of(coding),
                wanted -> {
                    created.incrementAndGet();
                    return Compressor.create(wanted, 1);
                },
                /* maxActive= */ 100);
        List<CompressedBody> begun = Stream.generate(() -> requireNonNull(counting.begin(coding)))
                .limit(100)
                .toList();
        for (CompressedBody each : begun) {
            each.add(ByteBuffer.wrap(new byte[5000]), new Collector());
            each.end(new Collector());
        }
        begun.forEach(CompressedBody::release);

        assertThat(created).hasValue(1);
    }
}
