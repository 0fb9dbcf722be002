package io.ballast.dns.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.wire.Query.Verdict;
import java.util.Arrays;
import org.xbill.DNS.Message;
import org.xbill.DNS.Section;

/** Fuzzes queries with arbitrary bytes. */
class QueryFuzzTest {

    private static final int LONGEST = 2048;
    private static final int FILLER = 0x5a;

    private final Query parsesArbitraryQuery = new Query(new NameHash(1, 2));
    private final byte[] out = new byte[Wire.MAX_MESSAGE_BYTES];

    @FuzzTest
    void parsesArbitraryQuery(byte[] input) {
        byte[] message = Arrays.copyOf(input, Math.min(input.length, LONGEST));
        // Bytes after the message, as in a reused buffer, must be ignored.
        byte[] slack = Arrays.copyOf(message, message.length + 300);
        Arrays.fill(slack, message.length, slack.length, (byte) FILLER);
        Verdict withSlack = parsesArbitraryQuery.parse(slack, message.length);

        Verdict verdict = parsesArbitraryQuery.parse(message, message.length);

        assertThat(verdict).isEqualTo(withSlack);
        if (verdict == Verdict.DROP) {
            assertThat(message.length < Wire.HEADER_BYTES || message[2] < 0).isTrue();
            return;
        }
        optionsLieInTheMessage(message);
        if (verdict == Verdict.ANSWER) {
            othersReadTheSameQuestion(message);
        }
        respondsReadably(message);
    }

    private void optionsLieInTheMessage(byte[] message) {
        Edns edns = parsesArbitraryQuery.edns();
        if (edns.cookieLength() > 0) {
            assertThat(edns.cookieLength() == 8 || edns.cookieLength() >= 16).isTrue();
            assertThat(edns.cookieOffset() + edns.cookieLength()).isLessThanOrEqualTo(message.length);
        }
        EdnsSubnet subnet = edns.subnet();
        if (subnet.hasAddress()) {
            assertThat(subnet.length()).isIn(4, 16);
            assertThat(subnet.sourceBits()).isBetween(1, 8 * subnet.length());
            for (int bit = subnet.sourceBits(); bit < 128; bit++) {
                assertThat(subnet.bytes()[bit / 8] & (0x80 >> bit % 8))
                        .as("bit %s", bit)
                        .isZero();
            }
        }
        assertThat(parsesArbitraryQuery.questionEnd()).isLessThanOrEqualTo(message.length);
    }

    private void othersReadTheSameQuestion(byte[] message) {
        byte[] question = Arrays.copyOf(message, parsesArbitraryQuery.questionEnd());
        Arrays.fill(question, 6, Wire.HEADER_BYTES, (byte) 0);

        Message read = Messages.parse(question);

        assertThat(read.getQuestion().getType()).isEqualTo(parsesArbitraryQuery.type());
        assertThat(read.getQuestion().getDClass()).isEqualTo(parsesArbitraryQuery.recordClass());
        assertThat(parsesArbitraryQuery
                        .name()
                        .suffixEquals(0, read.getQuestion().getName().toWireCanonical()))
                .isTrue();
    }

    /** Checks that the response to any query is a parseable message with the size that was computed before. */
    private void respondsReadably(byte[] message) {
        EdnsResponse opt = parsesArbitraryQuery.opt();
        opt.scope(33);
        opt.nsid(new byte[EdnsResponse.MAX_NSID_BYTES]);
        opt.error(EdnsError.OTHER, new byte[EdnsResponse.MAX_ERROR_TEXT_BYTES]);
        if (parsesArbitraryQuery.edns().cookieLength() > 0) {
            System.arraycopy(
                    message, parsesArbitraryQuery.edns().cookieOffset(), opt.cookie(), 0, Edns.CLIENT_COOKIE_BYTES);
        }
        int at = Response.begin(parsesArbitraryQuery, out);
        Response.writeHeader(parsesArbitraryQuery, out, 0, Rcode.BADCOOKIE);
        int end = Response.end(parsesArbitraryQuery, out, at, 0, Rcode.BADCOOKIE);

        assertThat(end).isEqualTo(at + opt.bytes()).isLessThanOrEqualTo(Edns.MIN_PAYLOAD_BYTES);
        if (parsesArbitraryQuery.edns().subnet().isPresent()
                && parsesArbitraryQuery.edns().subnet().length() == 0) {
            return; // dnsjava does not support address family 0
        }
        Message response = Messages.parse(Arrays.copyOf(out, end));
        assertThat(response.getSection(Section.QUESTION)).hasSize(parsesArbitraryQuery.hasQuestion() ? 1 : 0);
        assertThat(response.getOPT() != null)
                .isEqualTo(parsesArbitraryQuery.edns().isPresent());
    }
}
