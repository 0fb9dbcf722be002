package io.ballast.dns.forward.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.ballast.dns.forward.cache.ParsedAnswer.Taken;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.Wire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Type;

/** Fuzzes upstream messages with arbitrary bytes. */
class AnswerReaderFuzzTest {

    private static final int LONGEST = 2048;
    private static final int FILLER = 0x5a;
    private static final int QUESTION_END = 12 + 17 + 4;
    private static final TtlLimits LIMITS = TtlLimits.DEFAULT;

    private final AnswerReader reader = new AnswerReader(LIMITS);
    private final Question question = UpstreamMessage.question("www.example.com", Type.A);
    private final byte[] out = new byte[Wire.MAX_MESSAGE_BYTES];

    @FuzzTest
    void readsArbitraryMessage(byte[] input) {
        take(Arrays.copyOf(input, Math.min(input.length, LONGEST)));
    }

    /** Adds a valid header and question, so that more inputs reach the records. */
    @FuzzTest
    void readsArbitraryRecords(byte[] input) {
        byte[] start = UpstreamMessage.answering("www.example.com", Type.A).wire();
        byte[] message = Arrays.copyOf(start, QUESTION_END + Math.min(input.length, LONGEST));
        int counts = Math.min(6, input.length);
        for (int i = 0; i < counts; i++) {
            message[6 + i] = (byte) (i % 2 == 0 ? 0 : input[i] & 0x0f);
        }
        System.arraycopy(input, counts, message, QUESTION_END, message.length - QUESTION_END - counts);
        take(message);
    }

    /** Reads messages with changed bytes. */
    @Test
    void readsMutatedMessages() {
        byte[][] seeds = seeds();
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        int taken = 0;
        for (int i = 0; i < 30_000; i++) {
            byte[] message = seeds[random.nextInt(seeds.length)].clone();
            for (int change = random.nextInt(4); change >= 0; change--) {
                message[random.nextInt(12, message.length)] =
                        (byte) (random.nextBoolean() ? random.nextInt(64) : 0xc0 + random.nextInt(64));
            }
            int length = random.nextInt(8) == 0 ? random.nextInt(message.length) : message.length;
            try {
                taken += take(Arrays.copyOf(message, length)) ? 1 : 0;
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ", message " + i + ": " + Arrays.toString(message), e);
            }
        }
        assertThat(taken).isPositive();
    }

    private static byte[][] seeds() {
        String soa = "example.com. 600 IN SOA ns.example.com. admin.example.com. 1 2 3 4 300";
        return new byte[][] {
            UpstreamMessage.answering("www.example.com", Type.A)
                    .answer(
                            "www.example.com. 60 IN CNAME a.example.com.",
                            "bank.test. 60 IN A 192.0.2.3",
                            "a.example.com. 60 IN MX 10 mail.example.com.",
                            "a.example.com. 60 IN A 192.0.2.1")
                    .authority("example.com. 60 IN NS ns.example.com.", soa)
                    .additional("ns.example.com. 60 IN A 192.0.2.53")
                    .additional(new OPTRecord(1232, 0, 0))
                    .wire(),
            UpstreamMessage.answering("www.example.com", Type.A, Rcode.NXDOMAIN)
                    .answer("example.com. 60 IN DNAME example.net.")
                    .authority(
                            "a.example.com. 60 IN NSEC z.example.com. A",
                            "a.example.com. 60 IN RRSIG NSEC 8 2 60 20300101000000 20200101000000 1 example.com. c2ln",
                            soa)
                    .wire(),
            UpstreamMessage.answering("www.example.com", Type.A)
                    .answer(
                            "www.example.com. 60 IN NAPTR 1 2 \"u\" \"s\" \"r\" r.example.com.",
                            "x.test. 60 IN A 192.0.2.1",
                            "www.example.com. 60 IN SRV 1 2 3 a.example.com.",
                            "www.example.com. 60 IN HTTPS 1 a.example.com. alpn=h2",
                            "www.example.com. 60 IN A 192.0.2.1")
                    .wire(),
        };
    }

    /** Reads a message and checks the response if it is accepted. */
    private boolean take(byte[] message) {
        byte[] slack = Arrays.copyOf(message, message.length + 300);
        Arrays.fill(slack, message.length, slack.length, (byte) FILLER);
        ParsedAnswer withSlack = reader.read(slack, message.length, question, UpstreamMessage.NOW);

        ParsedAnswer read = reader.read(message.clone(), message.length, question, UpstreamMessage.NOW);

        if (!(read instanceof Taken taken)) {
            assertThat(withSlack).isEqualTo(read);
            return false;
        }
        assertThat(((Taken) withSlack).dropped()).isEqualTo(taken.dropped());
        CacheEntry answer = taken.answer();
        assertThat(answer.lifetimeSeconds()).isBetween(0, LIMITS.maxSeconds());
        byte[] fresh = written(answer, 0);
        byte[] aged = written(answer, 86_400);
        // An accepted response is accepted in full again, and has the same names at any age.
        readsAgain(fresh, taken);
        assertThat(owners(aged)).isEqualTo(owners(fresh));
        return true;
    }

    private byte[] written(CacheEntry answer, int ageSeconds) {
        Query query =
                UpstreamMessage.parsed(Messages.query("www.example.com", Type.A).toWire());
        int end = answer.write(query, out, out.length, ageSeconds);
        return Arrays.copyOf(out, end);
    }

    private static List<String> owners(byte[] response) {
        RecordTable records = new RecordTable();
        assertThat(records.read(response, response.length, QUESTION_END)).isTrue();
        List<String> owners = new ArrayList<>();
        byte[] bytes = new byte[Wire.MAX_NAME_BYTES];
        WireName owner = new WireName();
        for (int i = 0; i < records.count(); i++) {
            records.readOwner(i, owner);
            owners.add(new String(bytes, 0, owner.copy(bytes, 0), StandardCharsets.ISO_8859_1));
        }
        return owners;
    }

    private void readsAgain(byte[] response, Taken taken) {
        CacheEntry answer = taken.answer();
        if (answer.isFailure()) {
            return;
        }
        ParsedAnswer second = reader.read(response, response.length, question, UpstreamMessage.NOW);
        if (second == ParsedAnswer.Refused.LAME && taken.dropped() > 0) {
            // Without the dropped records, the response looks like a referral.
            return;
        }
        assertThat(second).as(Arrays.toString(response)).isInstanceOf(Taken.class);
        Taken again = (Taken) second;
        assertThat(again.dropped()).isZero();
        assertThat(again.answer().answerCount()).isEqualTo(answer.answerCount());
        assertThat(again.answer().authorityCount()).isEqualTo(answer.authorityCount());
        assertThat(again.answer().kind()).isEqualTo(answer.kind());
        assertThat(again.answer().lifetimeSeconds()).isEqualTo(answer.lifetimeSeconds());
    }
}
