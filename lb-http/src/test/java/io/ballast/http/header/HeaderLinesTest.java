package io.ballast.http.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderLinesTest {

    private final HeaderLines lines = new HeaderLines();

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 9, 10, 99, 100, 1234567890, Long.MAX_VALUE})
    void numbersAreWrittenInDecimal(long number) {
        lines.append("n=".getBytes(StandardCharsets.US_ASCII));
        lines.appendDecimal(number);

        assertThat(text()).isEqualTo("n=" + number);
    }

    @Test
    void uuidsAreThoseOfVersion4() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 100; i++) {
            long high = random.nextLong();
            long low = random.nextLong();
            lines.clear();
            lines.appendUuid(high, low);

            UUID uuid = UUID.fromString(text());

            assertThat(uuid.version()).isEqualTo(4);
            assertThat(uuid.variant()).isEqualTo(2);
            assertThat(uuid.getMostSignificantBits() | 0xF000L).isEqualTo(high | 0xF000L);
            assertThat(uuid.getLeastSignificantBits() & -1L >>> 2).isEqualTo(low & -1L >>> 2);
        }
    }

    @Test
    void growAsNeeded() {
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            byte[] piece = ("piece " + i).getBytes(StandardCharsets.US_ASCII);
            lines.append(piece);
            expected.append("piece ").append(i);
        }

        assertThat(text()).isEqualTo(expected.toString());
    }

    private String text() {
        return new String(lines.bytes(), 0, lines.length(), StandardCharsets.US_ASCII);
    }
}
