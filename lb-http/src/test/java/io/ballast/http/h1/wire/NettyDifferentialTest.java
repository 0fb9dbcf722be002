package io.ballast.http.h1.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.head.HeadError;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Compares our parser with Netty's strictest decoder on thousands of messages. Messages that both accept must have the
 * same meaning. {@link KnownDifference} must explain all other messages.
 */
class NettyDifferentialTest {

    private static final int MESSAGES = 10_000;
    private static final long SEED = 7;

    private final Set<KnownDifference> seen = EnumSet.noneOf(KnownDifference.class);
    private int whole;

    @Test
    void agreesWithNettyExceptKnownDifferences() {
        MessageGenerator requests = new MessageGenerator(SEED);
        MessageGenerator responses = new MessageGenerator(SEED);
        for (int i = 0; i < MESSAGES; i++) {
            String request = requests.request();
            compare(request, BallastParseResult.ofRequest(request), NettyParseResult::ofRequest);
            String response = responses.response();
            compare(response, BallastParseResult.ofResponse(response), NettyParseResult::ofResponse);
        }
        assertThat(whole).as("messages that both accept").isGreaterThan(MESSAGES / 2);
        assertThat(seen).as("differences that occurred").containsExactlyInAnyOrder(KnownDifference.values());
    }

    private void compare(String message, BallastParseResult ballastResult, Function<String, NettyParseResult> netty) {
        NettyParseResult nettyResult = netty.apply(message);
        HeadError fault = ballastResult.fault();
        if (fault != null) {
            assertThat(nettyResult.fault() != null || isExplained(message, fault) || isFoundLater(message, netty))
                    .as("we reject with %s, Netty accepts as %s:%n%s", fault, nettyResult, printable(message))
                    .isTrue();
        } else if (nettyResult.fault() != null) {
            assertThat(message)
                    .as("we accept as %s, Netty rejects with %s", ballastResult, nettyResult.fault())
                    .matches(NettyDifferentialTest::hasLargeChunk);
        } else {
            assertThat(ballastResult.ended()).as(printable(message)).isEqualTo(nettyResult.ended());
            if (ballastResult.ended()) {
                whole++;
                assertSameMeaning(message, ballastResult, nettyResult);
            }
        }
    }

    private boolean isExplained(String message, HeadError fault) {
        for (KnownDifference difference : KnownDifference.values()) {
            if (difference.explains(message, fault)) {
                seen.add(difference);
                return true;
            }
        }
        return false;
    }

    /** Netty parses whole lines, and we parse bytes: Netty finds a fault in the last line only when that line ends. */
    private static boolean isFoundLater(String message, Function<String, NettyParseResult> netty) {
        return netty.apply(message + "\r\n\r\n").fault() != null
                || netty.apply(message + "\n\r\n").fault() != null;
    }

    /** RFC 9112 section 7.1: recipients must expect large chunks; Netty uses 32-bit sizes. */
    private static boolean hasLargeChunk(String message) {
        return message.contains("\r\n80000000");
    }

    private static void assertSameMeaning(
            String message, BallastParseResult ballastResult, NettyParseResult nettyResult) {
        assertThat(ballastResult.startLine()).as(printable(message)).isEqualTo(nettyResult.startLine());
        assertThat(ballastResult.body()).as(printable(message)).isEqualTo(nettyResult.body());
        assertThat(ballastResult.trailers()).as(printable(message)).isEqualTo(nettyResult.trailers());
        // We forward the coding in lower case and a length without leading zeros.
        assertThat(comparable(ballastResult.fields(), message))
                .as(printable(message))
                .isEqualTo(nettyResult
                        .fields()
                        .replaceAll("(?im)^(Transfer-Encoding)=chunked$", "$1=chunked")
                        .replaceAll("(?im)^(Content-Length)=0+(?=[0-9])", "$1="));
    }

    /** Netty drops the transfer coding of responses without a body, as we do when forwarding. */
    private static String comparable(String fields, String message) {
        boolean neverHasBody = message.matches("(?s)HTTP/1.[01] (1[0-9][0-9]|204|304)[ \r].*");
        return neverHasBody ? fields.replaceAll("(?im)^Transfer-Encoding=chunked\n", "") : fields;
    }

    private static String printable(String message) {
        StringBuilder printable = new StringBuilder();
        for (int i = 0; i < message.length(); i++) {
            char b = message.charAt(i);
            printable.append(b >= ' ' && b < 0x7f ? String.valueOf(b) : String.format("\\x%02x", (int) b));
        }
        return printable.toString();
    }
}
