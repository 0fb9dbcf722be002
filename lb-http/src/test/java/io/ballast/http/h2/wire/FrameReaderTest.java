package io.ballast.http.h2.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.h2.testing.FrameBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FrameReaderTest {

    private static final byte[] STREAM = FrameBytes.join(
            FrameBytes.settings(3, 100),
            FrameBytes.frame(0, 1, 1 << 31 | 5), // the reserved bit is ignored
            FrameBytes.frame(0xff, 0xff, Integer.MAX_VALUE, (byte) 1),
            FrameBytes.ping(0));
    private static final List<String> FRAMES = List.of(
            "4 0 0 [0, 3, 0, 0, 0, 100]", "0 1 5 []", "255 255 2147483647 [1]", "6 0 0 [0, 0, 0, 0, 0, 0, 0, 0]");

    private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
    private final List<String> found = new ArrayList<>();
    private int max = Integer.MAX_VALUE;

    private final FrameReader reader = new FrameReader(
            new FrameReader.Sink() {
                @Override
                public boolean frame(int type, int flags, int stream, ByteBuf source, int at, int length) {
                    byte[] payload = new byte[length];
                    source.getBytes(at, payload);
                    found.add(type + " " + flags + " " + stream + " "
                            + (length < 20 ? Arrays.toString(payload) : Arrays.hashCode(payload)));
                    return found.size() < max;
                }

                @Override
                public void frameTooLarge(int type, int stream) {
                    found.add("too large " + type + " " + stream);
                }
            },
            allocator);

    @AfterEach
    void nothingIsLeft() {
        reader.release();
        assertThat(reader.bufferedBytes()).isZero();
        assertThat(allocator.pinnedDirectMemory()).isZero();
    }

    @Test
    void acceptsAnyFragmentation() {
        for (int first = 0; first <= STREAM.length; first++) {
            for (int second = first; second <= STREAM.length; second++) {
                found.clear();
                feed(STREAM, 0, first);
                feed(STREAM, first, second);
                feed(STREAM, second, STREAM.length);
                assertThat(found).as("split at %d and %d", first, second).isEqualTo(FRAMES);
                assertThat(reader.bufferedBytes()).isZero();
            }
        }
    }

    @Test
    void readsFramesByteByByte() {
        for (int i = 0; i < STREAM.length; i++) {
            feed(STREAM, i, i + 1);
        }
        assertThat(found).isEqualTo(FRAMES);
    }

    @Test
    void readsFragmentedLargeFrames() {
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 200; round++) {
            found.clear();
            byte[] payload = new byte[random.nextInt(2) == 0 ? Frame.MAX_PAYLOAD_BYTES : random.nextInt(3000)];
            random.nextBytes(payload);
            byte[] bytes = FrameBytes.repeat(5, FrameBytes.data(3, false, payload));
            for (int at = 0; at < bytes.length; ) {
                int to = Math.min(bytes.length, at + 1 + random.nextInt(random.nextInt(2) == 0 ? 20_000 : 12));
                feed(bytes, at, to);
                at = to;
            }
            String frame = "0 0 3 " + (payload.length < 20 ? Arrays.toString(payload) : Arrays.hashCode(payload));
            assertThat(found).containsOnly(frame).hasSize(5);
        }
    }

    @Test
    void rejectsTooLargeFrameFromHeader() {
        byte[] large = FrameBytes.frame(0, 0, 7, new byte[Frame.MAX_PAYLOAD_BYTES + 1]);
        feed(large, 0, 9);
        assertThat(found).containsExactly("too large 0 7");
    }

    @Test
    void rejectsTooLargeFrameWithFragmentedHeader() {
        byte[] large = FrameBytes.frame(0, 0, 7, new byte[Frame.MAX_PAYLOAD_BYTES + 1]);
        feed(large, 0, 5);
        feed(large, 5, 100);
        assertThat(found).containsExactly("too large 0 7");
    }

    @Test
    void stopsWhenHandlerStops() {
        max = 2;
        feed(STREAM, 0, STREAM.length);
        assertThat(found).isEqualTo(FRAMES.subList(0, 2));
    }

    private void feed(byte[] bytes, int from, int to) {
        reader.read(Unpooled.copiedBuffer(bytes, from, to - from));
    }
}
