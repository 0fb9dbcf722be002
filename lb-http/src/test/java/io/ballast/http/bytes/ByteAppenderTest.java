package io.ballast.http.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteAppenderTest {

    private final ByteAppender bytes = new ByteAppender();

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 9, 10, 99, 100, 1234567890, Long.MAX_VALUE})
    void writesDecimalNumbers(long number) {
        bytes.append("n=".getBytes(StandardCharsets.US_ASCII));
        bytes.appendDecimal(number);

        assertThat(text()).isEqualTo("n=" + number);
    }

    @Test
    void writesVersion4Uuids() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 100; i++) {
            long high = random.nextLong();
            long low = random.nextLong();
            bytes.clear();
            bytes.appendUuid(high, low);

            UUID uuid = UUID.fromString(text());

            assertThat(uuid.version()).isEqualTo(4);
            assertThat(uuid.variant()).isEqualTo(2);
            assertThat(uuid.getMostSignificantBits() | 0xF000L).isEqualTo(high | 0xF000L);
            assertThat(uuid.getLeastSignificantBits() & -1L >>> 2).isEqualTo(low & -1L >>> 2);
        }
    }

    @Test
    void writesOneBytePerCharacter() {
        bytes.append((byte) '<');
        bytes.appendAscii("a".repeat(1000));

        assertThat(text()).isEqualTo("<" + "a".repeat(1000));
    }

    @Test
    void growsAsNeeded() {
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            byte[] piece = ("piece " + i).getBytes(StandardCharsets.US_ASCII);
            bytes.append(piece);
            expected.append("piece ").append(i);
        }

        assertThat(text()).isEqualTo(expected.toString());
    }

    @Test
    void appendsAndRemovesRanges() {
        byte[] source = "0123456789".getBytes(StandardCharsets.US_ASCII);
        bytes.append(source, 2, 8);
        bytes.append((byte) '!');
        bytes.delete(1, 3);

        assertThat(text()).isEqualTo("2567!");
    }

    @Test
    void copiesBytesOfOtherAppender() {
        ByteAppender other = new ByteAppender();
        other.append("other".getBytes(StandardCharsets.US_ASCII));
        bytes.append("own".getBytes(StandardCharsets.US_ASCII));
        bytes.copyFrom(other);
        bytes.append(other);

        assertThat(text()).isEqualTo("otherother");
    }

    @Test
    void allowsReadBeyondEnd() {
        for (int i = 0; i < 1000; i++) {
            bytes.append((byte) 'x');

            assertThat(bytes.bytes()).hasSizeGreaterThanOrEqualTo(bytes.length() + ByteAppender.SLACK);
        }
    }

    @Test
    void releasesLargeBuffer() {
        bytes.append(new byte[100_000]);
        bytes.release();

        assertThat(bytes.length()).isZero();
        assertThat(bytes.bytes()).hasSizeLessThan(4096);
    }

    private String text() {
        return new String(bytes.bytes(), 0, bytes.length(), StandardCharsets.US_ASCII);
    }
}
