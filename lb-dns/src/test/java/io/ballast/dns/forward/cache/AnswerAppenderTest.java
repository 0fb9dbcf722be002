package io.ballast.dns.forward.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.testing.Messages;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests cached answers that are appended to aliases. */
class AnswerAppenderTest {

    private static final String QUERIED = "www.a.much.longer.name.than.the.other.test";
    private static final String TARGET = "Edge.CDN.example";
    private static final long SECOND = 1_000_000_000L;

    private final AnswerAppender appender = new AnswerAppender();
    private final byte[] out = new byte[Wire.MAX_MESSAGE_BYTES];
    private int start;
    private int targetAt;
    private int targetBytes;

    private static UpstreamMessage chain() {
        return UpstreamMessage.answering("edge.cdn.example", Type.MX)
                .answer(
                        "edge.cdn.example. 300 IN CNAME a.cdn.example.",
                        "a.cdn.example. 200 IN CNAME b.other.example.",
                        "b.other.example. 60 IN MX 1 mail.other.example.",
                        "b.other.example. 60 IN MX 2 mail.cdn.example.",
                        "b.other.example. 60 IN RRSIG MX 15 3 60 20300101000000 20200101000000 1 other.example. AAAA")
                .authority("other.example. 3600 IN NS ns.other.example.", "other.example. 3600 IN NS ns.cdn.example.");
    }

    @Test
    void recordsKeepMeaningAfterOtherQuestion() {
        Message whole = append(chain().kept(), /* isStale= */ false, Wire.MAX_MESSAGE_BYTES);

        assertThat(appender.isTruncated()).isFalse();
        List<Record> answers = whole.getSection(Section.ANSWER);
        assertThat(answers.get(0).getName()).isEqualTo(Messages.name(QUERIED));
        Message received = Messages.parse(chain().wire());
        assertThat(answers.subList(1, answers.size())).isEqualTo(received.getSection(Section.ANSWER));
        assertThat(answers.subList(1, answers.size()))
                .extracting(Record::getTTL)
                .isEqualTo(received.getSection(Section.ANSWER).stream()
                        .map(Record::getTTL)
                        .toList());
        assertThat(whole.getSection(Section.AUTHORITY)).isEqualTo(received.getSection(Section.AUTHORITY));
    }

    @Test
    void recordSetsAreNeverSplit() {
        CacheEntry answer = chain().kept();
        append(answer, /* isStale= */ false, Wire.MAX_MESSAGE_BYTES);
        int max = appender.append(
                answer,
                /* isStale= */ false,
                UpstreamMessage.NOW,
                out,
                start,
                Wire.MAX_MESSAGE_BYTES,
                targetAt,
                targetBytes);
        // The records may end after the earlier alias, after each of two aliases, after a set of two records, after its
        // signature, and after a set of two records in the authority section.
        List<Integer> whole = List.of(1, 2, 3, 5, 6, 8);
        for (int limit = start; limit <= max; limit++) {
            Message cut = append(answer, /* isStale= */ false, limit);
            int records = cut.getSection(Section.ANSWER).size()
                    + cut.getSection(Section.AUTHORITY).size();
            assertThat(whole).as("records up to %s bytes", limit).contains(records);
            assertThat(appender.isTruncated()).isEqualTo(limit < max);
            assertThat(records == 8).isEqualTo(limit == max);
        }
    }

    @Test
    void chainOwnersAreCompressed() {
        UpstreamMessage many = UpstreamMessage.answering("edge.cdn.example", Type.A);
        for (int i = 0; i < 10; i++) {
            many.answer("edge.cdn.example. 300 IN A 192.0.2." + i);
        }
        begin();
        int end = appender.append(
                many.kept(), /* isStale= */ false, UpstreamMessage.NOW, out, start, 512, targetAt, targetBytes);

        assertThat(end - start).isEqualTo(10 * 16);
    }

    @Test
    void ttlsCountDownAndStaleTtlIsShort() {
        CacheEntry answer = chain().kept();
        begin();
        int end = appender.append(
                answer,
                /* isStale= */ false,
                answer.receivedNanos() + 10 * SECOND,
                out,
                start,
                Wire.MAX_MESSAGE_BYTES,
                targetAt,
                targetBytes);
        assertThat(message(end).getSection(Section.ANSWER))
                .extracting(Record::getTTL)
                .containsExactly(77L, 290L, 190L, 50L, 50L, 50L);

        assertThat(append(answer, /* isStale= */ true, Wire.MAX_MESSAGE_BYTES).getSection(Section.ANSWER))
                .extracting(Record::getTTL)
                .containsExactly(77L, 30L, 30L, 30L, 30L, 30L);
    }

    @Test
    void denialsAreInAuthoritySection() {
        UpstreamMessage denial = UpstreamMessage.answering("edge.cdn.example", Type.A, Rcode.NXDOMAIN)
                .authority("cdn.example. 600 IN SOA ns.cdn.example. host.cdn.example. 1 2 3 4 60");
        Message response = append(denial.kept(), /* isStale= */ false, 512);

        assertThat(response.getSection(Section.ANSWER)).hasSize(1);
        assertThat(response.getSection(Section.AUTHORITY).get(0).rdataToString())
                .isEqualTo("ns.cdn.example. host.cdn.example. 1 2 3 4 60");
    }

    @Test
    void rejectsAnswersForOtherNames() {
        begin();
        CacheEntry other = UpstreamMessage.answering("www.cdn.example", Type.A)
                .answer("www.cdn.example. 300 IN A 192.0.2.1")
                .kept();
        assertThatThrownBy(() -> appender.append(
                        other, /* isStale= */ false, UpstreamMessage.NOW, out, start, 512, targetAt, targetBytes))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private Message append(CacheEntry answer, boolean isStale, int limit) {
        begin();
        return message(appender.append(answer, isStale, UpstreamMessage.NOW, out, start, limit, targetAt, targetBytes));
    }

    /** Starts a response with a question and its alias. */
    private void begin() {
        Arrays.fill(out, (byte) 0);
        byte[] question = Messages.query(QUERIED, Type.A).toWire();
        System.arraycopy(question, 0, out, 0, question.length);
        byte[] target = Messages.name(TARGET).toWire();
        targetBytes = target.length;
        Wire.putRecord(out, question.length, Wire.QUESTION_NAME, RecordType.CNAME, 77, targetBytes);
        targetAt = question.length + 12;
        System.arraycopy(target, 0, out, targetAt, targetBytes);
        start = targetAt + targetBytes;
    }

    private Message message(int end) {
        Wire.putU16(out, 6, 1 + appender.answerCount());
        Wire.putU16(out, 8, appender.authorityCount());
        Wire.putU16(out, 10, 0);
        return Messages.parse(Arrays.copyOf(out, end));
    }
}
