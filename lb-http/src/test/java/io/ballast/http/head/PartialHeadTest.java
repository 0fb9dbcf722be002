package io.ballast.http.head;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.h1.wire.Heads;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartialHeadTest {

    private static final HeadLimits LIMITS = new HeadLimits(100, 200, 1_000, 10);
    private static final String LINE = "GET / HTTP/1.1\r\nHost: a\r\n";

    private final RequestScanner scanner = new RequestScanner();
    private int scans;

    @Test
    void scansEachLineOnceForByteWiseHead() {
        String head = LINE + ("X: " + "y".repeat(90) + "\r\n").repeat(8) + "\r\n";

        assertThat(verdict(head, bytes(head))).isEqualTo("COMPLETE " + head.length());
        // One scan per line, plus one for the first byte of the head.
        assertThat(scans).isEqualTo(1 + head.split("\r\n", -1).length - 1);
    }

    @Test
    void scansLineToLimitOnce() {
        String head = LINE + "X: " + "y".repeat(80);

        assertThat(verdict(head, bytes(head))).isEqualTo("INCOMPLETE");
        assertThat(scans).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void resultIsIndependentOfFragmentation(long seed) {
        Random random = new Random(seed);
        List<String> heads = List.of(
                LINE + "A: b\r\nContent-Length: 5\r\n\r\n",
                LINE + "A: b\r\n C: d\r\n\r\n",
                LINE + "A: " + "b".repeat(300) + "\r\n\r\n",
                LINE + "A: " + "b".repeat(300),
                LINE + "A: b\r\n".repeat(12) + "\r\n",
                LINE + ("A: " + "b".repeat(180) + "\r\n").repeat(7) + "\r\n",
                "GET /" + "a".repeat(120),
                "GET / HTTP/1.1\r\nX: y\n\r\n",
                LINE);
        for (String head : heads) {
            String expected = verdict(head, new int[] {head.length()});
            for (int i = 0; i < 200; i++) {
                int[] ends = random.ints(random.nextInt(20), 1, head.length())
                        .sorted()
                        .toArray();
                int[] all = Arrays.copyOf(ends, ends.length + 1);
                all[ends.length] = head.length();

                assertThat(verdict(head, all)).as("seed %d: %s", seed, head).isEqualTo(expected);
            }
        }
    }

    private static int[] bytes(String head) {
        return java.util.stream.IntStream.rangeClosed(1, head.length()).toArray();
    }

    /** Receives {@code head} in segments that end at {@code ends}. */
    private String verdict(String head, int[] ends) {
        PartialHead partial = new PartialHead();
        ByteBuf source = Unpooled.buffer();
        source.writeBytes(ByteClasses.ascii("before"));
        source.skipBytes("before".length());
        scans = 0;
        for (int end : ends) {
            source.writeBytes(ByteClasses.ascii(head.substring(source.readableBytes(), end)));
            if (partial.lacksNewLine(source, LIMITS)) {
                continue;
            }
            scans++;
            switch (scanner.scan(Heads.bytes(head.substring(0, end)), end, LIMITS)) {
                case COMPLETE -> {
                    return "COMPLETE " + scanner.end;
                }
                case REJECTED -> {
                    return "REJECTED " + scanner.fault;
                }
                case INCOMPLETE -> partial.recordScan(source);
            }
        }
        return "INCOMPLETE";
    }
}
