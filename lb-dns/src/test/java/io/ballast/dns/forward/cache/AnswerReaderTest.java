package io.ballast.dns.forward.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.forward.cache.ParsedAnswer.Refused;
import io.ballast.dns.forward.cache.ParsedAnswer.Taken;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests which messages, and which records in them, are accepted. */
class AnswerReaderTest {

    private static final int QUESTION_END = 12 + 17 + 4;

    private static UpstreamMessage www() {
        return UpstreamMessage.answering("www.example.com", Type.A)
                .answer("www.example.com. 60 IN A 192.0.2.1", "www.example.com. 60 IN A 192.0.2.2");
    }

    @Test
    void readsAnswerAndAuthoritySections() {
        UpstreamMessage upstream = www().authority("example.com. 60 IN NS ns.example.com.")
                .additional("ns.example.com. 60 IN A 192.0.2.53")
                .additional(new OPTRecord(1232, 0, 0))
                .additional("ns.example.com. 60 IN AAAA 2001:db8::53");

        Taken taken = upstream.taken();
        Message response = upstream.response(taken.answer());

        assertThat(taken.dropped()).isZero();
        assertThat(taken.answer().kind()).isEqualTo(CacheEntry.Kind.POSITIVE);
        assertThat(taken.answer().answerCount()).isEqualTo(2);
        assertThat(taken.answer().authorityCount()).isEqualTo(1);
        assertThat(Messages.answers(response)).containsExactly("192.0.2.1", "192.0.2.2");
        assertThat(response.getSection(Section.ADDITIONAL)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "www.example.com. 60 IN MX 10 mail.www.example.com.",
                "www.example.com. 60 IN SRV 1 2 3 a.example.com.",
                "www.example.com. 60 IN NAPTR 1 2 \"u\" \"E2U+sip\" \"!^.*$!sip:a@b.test!\" r.example.com.",
                "www.example.com. 60 IN SVCB 1 svc.example.com. port=53",
                "www.example.com. 60 IN HTTPS 1 . alpn=h2",
                "www.example.com. 60 IN TXT \"some\" \"text\"",
                "www.example.com. 60 IN RP a.example.com. b.example.com.",
                "www.example.com. 60 IN PX 1 a.example.com. b.example.com.",
                "www.example.com. 60 IN CAA 0 issue \"ca.test\"",
                "www.example.com. 60 IN NSEC a.example.com. A RRSIG",
                "www.example.com. 60 IN TYPE65280 \\# 3 c0ffee",
                "www.example.com. 60 IN AAAA 2001:db8::1",
                "www.example.com. 60 IN SOA a.example.com. b.example.com. 1 2 3 4 5",
                "www.example.com. 60 IN RRSIG A 8 3 60 20300101000000 20200101000000 1 example.com. c2ln",
            })
    void roundTripsRecordsOfAllTypes(String line) {
        int type = UpstreamMessage.record(line).getType();
        UpstreamMessage copied =
                UpstreamMessage.answering("www.example.com", type).answer(line);
        UpstreamMessage expanded =
                UpstreamMessage.answering("www.example.com", type).answer("other.test. 60 IN A 192.0.2.9", line);

        assertThat(copied.taken().dropped()).isZero();
        assertThat(copied.response().getSection(Section.ANSWER)).containsExactly(UpstreamMessage.record(line));
        assertThat(expanded.taken().dropped()).isEqualTo(1);
        assertThat(expanded.response().getSection(Section.ANSWER)).containsExactly(UpstreamMessage.record(line));
    }

    @Test
    void rejectsTruncatedMessage() {
        assertThat(www().flag(Flags.TC).read()).isEqualTo(Refused.TRUNCATED);
    }

    @Test
    void truncatedMessageMayEndWithinRecord() {
        byte[] wire = www().flag(Flags.TC).wire();

        byte[] cut = Arrays.copyOf(wire, wire.length - 3);

        assertThat(read(cut)).isEqualTo(Refused.TRUNCATED);
    }

    @Test
    void rejectsEveryPrefix() {
        byte[] wire = www().authority("example.com. 60 IN NS ns.example.com.")
                .additional(new OPTRecord(1232, 0, 0))
                .wire();

        for (int length = 0; length < wire.length; length++) {
            assertThat(new AnswerReader(TtlLimits.DEFAULT).read(wire, length, www().question(), UpstreamMessage.NOW))
                    .as("%s bytes", length)
                    .isEqualTo(Refused.MALFORMED);
        }
    }

    @Test
    void ignoresBytesAfterMessage() {
        byte[] wire = www().wire();

        assertThat(read(Arrays.copyOf(wire, wire.length + 9))).isInstanceOf(Taken.class);
    }

    @Test
    void acceptsOnlyResponseToQuestion() {
        byte[] wire = www().wire();

        assertThat(read(changed(wire, 2, wire[2] & 0x7f))).as("a query").isEqualTo(Refused.MALFORMED);
        assertThat(read(changed(wire, 2, wire[2] | 0x20))).as("an update").isEqualTo(Refused.MALFORMED);
        assertThat(read(changed(wire, 5, 0))).as("no question").isEqualTo(Refused.MALFORMED);
        assertThat(read(changed(wire, 5, 2))).as("two questions").isEqualTo(Refused.MALFORMED);
        assertThat(read(changed(wire, 13, 'x'))).as("another name").isEqualTo(Refused.MALFORMED);
        assertThat(read(changed(wire, 13, 'W'))).as("another case").isInstanceOf(Taken.class);
        assertThat(read(changed(wire, QUESTION_END - 3, Type.MX)))
                .as("another type")
                .isEqualTo(Refused.MALFORMED);
        assertThat(read(changed(wire, QUESTION_END - 1, 3))).as("another class").isEqualTo(Refused.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(ints = {Rcode.FORMERR, Rcode.SERVFAIL, Rcode.NOTIMP, Rcode.REFUSED})
    void errorWithoutQuestionIsFailure(int rcode) {
        byte[] header = new byte[12];
        header[2] = (byte) 0x80;
        header[3] = (byte) rcode;

        Taken taken = (Taken) read(header);

        assertThat(taken.answer().isFailure()).isTrue();
        assertThat(taken.answer().rcode()).isEqualTo(rcode);
    }

    @Test
    void successWithoutQuestionIsMalformed() {
        byte[] header = new byte[12];
        header[2] = (byte) 0x80;

        assertThat(read(header)).isEqualTo(Refused.MALFORMED);
    }

    @Test
    void nxdomainWithoutQuestionIsFailure() {
        byte[] header = new byte[12];
        header[2] = (byte) 0x80;
        header[3] = Rcode.NXDOMAIN;

        assertThat(((Taken) read(header)).answer().rcode()).isEqualTo(Rcode.SERVFAIL);
    }

    @ParameterizedTest
    @ValueSource(ints = {Rcode.YXRRSET, Rcode.NOTAUTH, 11, 15, Rcode.BADVERS, Rcode.BADCOOKIE, 3841})
    void internalCodesBecomeServfail(int rcode) {
        byte[] wire = UpstreamMessage.answering("www.example.com", Type.A, rcode & 0xf)
                .additional(new OPTRecord(1232, rcode >> 4, 0))
                .wire();

        Taken taken = (Taken) read(wire);

        assertThat(taken.rcode()).isEqualTo(rcode);
        assertThat(taken.answer().isFailure()).isTrue();
        assertThat(taken.answer().rcode()).isEqualTo(Rcode.SERVFAIL);
    }

    @Test
    void referralIsLame() {
        assertThat(UpstreamMessage.answering("www.example.com", Type.A)
                        .authority("example.com. 60 IN NS ns.example.com.")
                        .read())
                .isEqualTo(Refused.LAME);
        assertThat(UpstreamMessage.answering("www.example.com", Type.A)
                        .authority(". 60 IN NS a.root-servers.net.")
                        .read())
                .isEqualTo(Refused.LAME);
        assertThat(UpstreamMessage.answering("www.example.com", Type.A)
                        .answer("www.example.com. 60 IN CNAME www.example.net.")
                        .authority("example.net. 60 IN NS ns.example.net.")
                        .read())
                .isEqualTo(Refused.LAME);
    }

    @Test
    void emptyNonRecursiveNonAuthoritativeAnswerIsLame() {
        byte[] wire = UpstreamMessage.answering("www.example.com", Type.A).wire();

        assertThat(read(wire)).isInstanceOf(Taken.class);
        assertThat(read(changed(wire, 3, wire[3] & 0x7f))).isEqualTo(Refused.LAME);
        assertThat(read(changed(changed(wire, 3, wire[3] & 0x7f), 2, wire[2] | 4)))
                .isInstanceOf(Taken.class);
    }

    @Test
    void answerOrDenialWithoutRecursionIsNotLame() {
        byte[] answer = www().authority("example.com. 60 IN NS ns.example.com.").wire();
        byte[] denial = UpstreamMessage.answering("www.example.com", Type.A)
                .authority("example.com. 60 IN SOA ns.example.com. admin.example.com. 1 2 3 4 300")
                .wire();

        assertThat(read(changed(answer, 3, answer[3] & 0x7f))).isInstanceOf(Taken.class);
        assertThat(read(changed(denial, 3, denial[3] & 0x7f))).isInstanceOf(Taken.class);
    }

    @Test
    void rejectsWrongRecordCounts() {
        byte[] wire = www().wire();

        assertThat(read(changed(wire, 7, 3))).isEqualTo(Refused.MALFORMED);
        assertThat(read(changed(wire, 6, 0xff))).isEqualTo(Refused.MALFORMED);
        assertThat(read(changed(wire, 9, 1))).isEqualTo(Refused.MALFORMED);
        assertThat(read(changed(wire, 11, 1))).isEqualTo(Refused.MALFORMED);
    }

    @Test
    void rejectsInvalidDataLength() {
        byte[] wire = www().wire();
        int typeAt = QUESTION_END + 2;

        assertThat(read(changed(wire, typeAt + 1, Type.AAAA))).isEqualTo(Refused.MALFORMED);
        assertThat(read(changed(wire, typeAt + 1, Type.SOA))).isEqualTo(Refused.MALFORMED);
        assertThat(read(changed(wire, typeAt + 1, Type.MX))).isEqualTo(Refused.MALFORMED);
        assertThat(read(changed(wire, typeAt + 1, Type.NAPTR))).isEqualTo(Refused.MALFORMED);
        assertThat(read(changed(wire, typeAt + 1, Type.RRSIG))).isEqualTo(Refused.MALFORMED);
    }

    @Test
    void pointersMustPointBackwards() {
        byte[] wire = www().wire();
        int second = QUESTION_END + 16;

        assertThat(read(pointing(wire, second, 12))).isInstanceOf(Taken.class);
        assertThat(read(pointing(wire, second, second))).as("to itself").isEqualTo(Refused.MALFORMED);
        assertThat(read(pointing(wire, second, second + 2))).as("forwards").isEqualTo(Refused.MALFORMED);
        assertThat(read(pointing(wire, second, 3))).as("into the header").isEqualTo(Refused.MALFORMED);
        assertThat(read(pointing(wire, second, QUESTION_END + 6)))
                .as("into a TTL")
                .isEqualTo(Refused.MALFORMED);
        assertThat(read(changed(wire, second, 0x40)))
                .as("a label of unknown kind")
                .isEqualTo(Refused.MALFORMED);
    }

    private static byte[] pointing(byte[] wire, int at, int target) {
        byte[] changed = wire.clone();
        Wire.putU16(changed, at, 0xc000 | target);
        return changed;
    }

    @Test
    void pointerChainIsBounded() {
        // The data of the TXT record are pointers, each to the previous one. The owner of the A record is a pointer to
        // the last one.
        byte[] wire = new byte[4096];
        byte[] start = www().wire();
        System.arraycopy(start, 0, wire, 0, QUESTION_END);
        Wire.putU16(wire, 6, 2);
        int pointers = 1000;
        Wire.putRecord(wire, QUESTION_END, Wire.QUESTION_NAME, Type.TXT, 60, 2 * pointers);
        int at = QUESTION_END + 12;
        for (int i = 0; i < pointers; i++, at += 2) {
            Wire.putU16(wire, at, i == 0 ? Wire.QUESTION_NAME : 0xc000 | (at - 2));
        }
        byte[] ofTwo = wire.clone();
        Wire.putRecord(wire, at, 0xc000 | (at - 2), Type.A, 60, 4);
        Wire.putRecord(ofTwo, at, 0xc000 | (QUESTION_END + 14), Type.A, 60, 4);

        assertThat(read(Arrays.copyOf(wire, at + 16))).isEqualTo(Refused.MALFORMED);
        assertThat(read(Arrays.copyOf(ofTwo, at + 16))).isInstanceOf(Taken.class);
    }

    @Test
    void rejectsTooLongCompressedName() {
        String label = "a".repeat(63) + ".";
        UpstreamMessage upstream = UpstreamMessage.answering(label.repeat(3) + "test", Type.CNAME)
                .answer(label.repeat(3) + "test. 60 IN CNAME " + "b".repeat(50) + "." + label.repeat(3) + "test.");
        byte[] wire = upstream.wire();
        assertThat(UpstreamMessage.read(wire, upstream.question(), TtlLimits.DEFAULT))
                .isInstanceOf(Taken.class);

        // The label of 50 bytes becomes one of 60, followed by the pointer.
        int data = wire.length - 53;
        byte[] longer = Arrays.copyOf(wire, wire.length + 10);
        longer[data] = 60;
        Wire.putU16(longer, data - 2, 63);
        Arrays.fill(longer, data + 51, data + 61, (byte) 'b');
        Wire.putU16(longer, data + 61, Wire.QUESTION_NAME);

        assertThat(UpstreamMessage.read(longer, upstream.question(), TtlLimits.DEFAULT))
                .isEqualTo(Refused.MALFORMED);
    }

    @Test
    void allowsOneOptInAdditionalSection() {
        int answers = 7;
        int authority = 9;
        int additional = 11;

        assertThat(read(withOpt(www().wire(), additional, ""))).isInstanceOf(Taken.class);
        assertThat(read(withOpt(www().wire(), answers, ""))).isEqualTo(Refused.MALFORMED);
        assertThat(read(withOpt(www().wire(), authority, ""))).isEqualTo(Refused.MALFORMED);
        assertThat(read(withOpt(www().wire(), additional, "x"))).isEqualTo(Refused.MALFORMED);
        assertThat(read(withOpt(withOpt(www().wire(), additional, ""), additional, "")))
                .isEqualTo(Refused.MALFORMED);
    }

    /** Appends an OPT record with a name of at most one label. */
    private static byte[] withOpt(byte[] wire, int countAt, String label) {
        int owner = wire.length + (label.isEmpty() ? 0 : 1 + label.length());
        byte[] longer = Arrays.copyOf(wire, owner + 11);
        longer[countAt]++;
        if (!label.isEmpty()) {
            longer[wire.length] = (byte) label.length();
            longer[wire.length + 1] = (byte) label.charAt(0);
        }
        longer[owner + 2] = Type.OPT;
        return longer;
    }

    @Test
    void readsExtendedResponseCode() {
        Taken taken = www().additional(new OPTRecord(1232, 1, 0)).taken();

        assertThat(taken.rcode()).isEqualTo(Rcode.BADVERS);
        assertThat(taken.answer().isFailure()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {Rcode.SERVFAIL, Rcode.REFUSED, Rcode.NOTIMP, Rcode.FORMERR})
    void failureIsCachedBrieflyWithoutRecords(int rcode) {
        UpstreamMessage upstream = UpstreamMessage.answering("www.example.com", Type.A, rcode)
                .answer("www.example.com. 600 IN A 192.0.2.1");

        CacheEntry answer = upstream.kept();
        Message response = upstream.response(answer);

        assertThat(answer.isFailure()).isTrue();
        assertThat(answer.lifetimeSeconds()).isEqualTo(5);
        assertThat(response.getRcode()).isEqualTo(rcode);
        assertThat(response.getSection(Section.ANSWER)).isEmpty();
    }

    @Test
    void acceptsRootName() {
        UpstreamMessage upstream = UpstreamMessage.answering(".", Type.NS).answer(". 60 IN NS a.root-servers.test.");

        assertThat(Messages.answers(upstream.response())).containsExactly("a.root-servers.test.");
    }

    @Test
    void readerIsReusable() {
        AnswerReader reader = new AnswerReader(TtlLimits.DEFAULT);
        UpstreamMessage many = www();
        for (int i = 0; i < 300; i++) {
            many.answer("www.example.com. 60 IN A 198.51." + i / 256 + "." + i % 256);
        }
        Question question = www().question();

        Taken large = (Taken) reader.read(many.wire(), many.wire().length, question, UpstreamMessage.NOW);
        Taken small = (Taken) reader.read(www().wire(), www().wire().length, question, UpstreamMessage.NOW);

        assertThat(large.answer().answerCount()).isEqualTo(302);
        assertThat(small.answer().answerCount()).isEqualTo(2);
        assertThat(Messages.answers(www().response(small.answer()))).containsExactly("192.0.2.1", "192.0.2.2");
    }

    private static ParsedAnswer read(byte[] wire) {
        return UpstreamMessage.read(wire, www().question(), TtlLimits.DEFAULT);
    }

    private static byte[] changed(byte[] wire, int at, int b) {
        byte[] changed = wire.clone();
        changed[at] = (byte) b;
        return changed;
    }
}
