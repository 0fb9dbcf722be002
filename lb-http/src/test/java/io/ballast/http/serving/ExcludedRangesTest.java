package io.ballast.http.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExcludedRangesTest {

    private static final String SOURCE = "abcdefghijklmnopqrstuvwxyz".repeat(8);

    private final ExcludedRanges excluded = new ExcludedRanges();

    @Test
    void writesEverythingWithoutExclusions() {
        assertThat(excluded.isEmpty()).isTrue();
        assertThat(write(3, 9)).isEqualTo(SOURCE.substring(3, 9));
    }

    @Test
    void writesRestOfRandomExclusions() {
        Random random = new Random(5);
        for (int round = 0; round < 2_000; round++) {
            excluded.reset();
            int start = random.nextInt(20);
            StringBuilder expected = new StringBuilder();
            int cut = 0;
            int at = start;
            while (at < SOURCE.length()) {
                int kept = Math.min(SOURCE.length(), at + random.nextInt(5));
                expected.append(SOURCE, at, kept);
                at = Math.min(SOURCE.length(), kept + 1 + random.nextInt(5));
                if (at > kept) {
                    excluded.add(kept, at);
                    cut += at - kept;
                }
            }

            assertThat(write(start, SOURCE.length())).isEqualTo(expected.toString());
            assertThat(excluded.bytes()).isEqualTo(cut);
        }
    }

    private String write(int from, int to) {
        ByteBuf target = Unpooled.buffer();
        excluded.write(SOURCE.getBytes(StandardCharsets.US_ASCII), from, to, target);
        return target.toString(StandardCharsets.US_ASCII);
    }
}
