package io.ballast.dns.forward.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.testing.Messages;
import io.ballast.dns.wire.EdnsError;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.CookieOption;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests responses made from cached answers. */
class CacheEntryTest {

    private static final long SECOND = 1_000_000_000L;

    private final byte[] out = new byte[Wire.MAX_MESSAGE_BYTES];

    private static UpstreamMessage www() {
        return UpstreamMessage.answering("www.example.com", Type.A)
                .answer("www.example.com. 300 IN CNAME web.example.com.", "web.example.com. 60 IN A 192.0.2.1")
                .authority("example.com. 3600 IN NS ns.example.com.")
                .additional("ns.example.com. 3600 IN A 192.0.2.53");
    }

    @Test
    void headerAndQuestionComeFromClient() {
        CacheEntry answer = www().flag(Flags.AA)
                .flag(Flags.AD)
                .flag(Flags.CD)
                .additional(new OPTRecord(1400, 0, 0, ExtendedFlags.DO))
                .kept();
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 500; i++) {
            Message message = clientMessage(random);

            Query query = UpstreamMessage.parsed(message.toWire());
            if (query.edns().cookieLength() > 0) {
                System.arraycopy(
                        query.message(),
                        query.edns().cookieOffset(),
                        query.opt().cookie(),
                        0,
                        8);
            }
            int end = answer.write(query, out, 1232, 0);
            Message response = Messages.parse(Arrays.copyOf(out, end));

            String as = "seed " + seed + ", query " + i;
            assertThat(response.getHeader().getID())
                    .as(as)
                    .isEqualTo(message.getHeader().getID());
            assertThat(Arrays.equals(query.message(), 12, query.questionEnd(), out, 12, query.questionEnd()))
                    .as(as)
                    .isTrue();
            for (int flag : new int[] {Flags.RD, Flags.CD}) {
                assertThat(Messages.has(response, flag)).as(as).isEqualTo(Messages.has(message, flag));
            }
            assertThat(Messages.has(response, Flags.QR)).as(as).isTrue();
            assertThat(Messages.has(response, Flags.RA)).as(as).isTrue();
            for (int flag : new int[] {Flags.AA, Flags.AD, Flags.TC}) {
                assertThat(Messages.has(response, flag)).as(as).isFalse();
            }
            hasOptOfQuery(response, message, as);
            // Names that share a suffix with the question use the query's letter case there.
            assertThat(Messages.answers(response).get(0)).as(as).isEqualToIgnoringCase("web.example.com.");
            assertThat(Messages.answers(response).get(1)).as(as).isEqualTo("192.0.2.1");
            assertThat(Messages.data(response, Section.AUTHORITY).get(0))
                    .as(as)
                    .isEqualToIgnoringCase("ns.example.com.");
        }
    }

    private static void hasOptOfQuery(Message response, Message message, String as) {
        assertThat(response.getSection(Section.ADDITIONAL)).as(as).hasSize(message.getOPT() == null ? 0 : 1);
        if (message.getOPT() != null) {
            assertThat(response.getOPT().getFlags())
                    .as(as)
                    .isEqualTo(message.getOPT().getFlags());
            assertThat(response.getOPT().getPayloadSize()).as(as).isEqualTo(1232);
            assertThat(response.getOPT().getOptions())
                    .as(as)
                    .hasSameSizeAs(message.getOPT().getOptions());
            if (!message.getOPT().getOptions().isEmpty()) {
                byte[] cookie = ((CookieOption) message.getOPT().getOptions().get(0)).getClientCookie();
                CookieOption returned =
                        (CookieOption) response.getOPT().getOptions().get(0);
                assertThat(returned.getClientCookie()).as(as).isEqualTo(cookie);
            }
        }
    }

    private static Message clientMessage(SplittableRandom random) {
        char[] name = "www.example.com.".toCharArray();
        for (int i = 0; i < name.length; i++) {
            name[i] = random.nextBoolean() ? Character.toUpperCase(name[i]) : name[i];
        }
        Message message = Messages.query(new String(name), Type.A);
        message.getHeader().setID(random.nextInt(1 << 16));
        for (int flag : new int[] {Flags.RD, Flags.CD, Flags.AD}) {
            if (random.nextBoolean()) {
                message.getHeader().setFlag(flag);
            } else {
                message.getHeader().unsetFlag(flag);
            }
        }
        if (random.nextBoolean()) {
            byte[] cookie = new byte[8];
            random.nextBytes(cookie);
            int flags = random.nextBoolean() ? ExtendedFlags.DO : 0;
            OPTRecord opt = random.nextBoolean()
                    ? new OPTRecord(4096, 0, 0, flags, new CookieOption(cookie))
                    : new OPTRecord(4096, 0, 0, flags);
            message.addRecord(opt, Section.ADDITIONAL);
        }
        return message;
    }

    @Test
    void randomizedCaseIsNotCached() {
        UpstreamMessage upstream =
                UpstreamMessage.answering("wWw.ExAmPlE.cOm", Type.A).answer("wWw.ExAmPlE.cOm. 60 IN A 192.0.2.1");
        byte[] compressed = upstream.wire();
        byte[] spelledOut = spellOutOwner(compressed, 17);

        for (byte[] wire : new byte[][] {compressed, spelledOut}) {
            ParsedAnswer.Taken taken =
                    (ParsedAnswer.Taken) UpstreamMessage.read(wire, upstream.question(), TtlLimits.DEFAULT);
            Message response = UpstreamMessage.respond(taken.answer(), Messages.query("www.example.com", Type.A), 0);
            assertThat(response.getSection(Section.ANSWER).get(0).getName()).hasToString("www.example.com.");
        }
    }

    /** Replaces the pointer at the start of the only record by the question name. */
    private static byte[] spellOutOwner(byte[] wire, int nameBytes) {
        int questionEnd = 12 + nameBytes + 4;
        byte[] longer = Arrays.copyOf(wire, wire.length + nameBytes - 2);
        System.arraycopy(wire, 12, longer, questionEnd, nameBytes);
        System.arraycopy(wire, questionEnd + 2, longer, questionEnd + nameBytes, wire.length - questionEnd - 2);
        return longer;
    }

    @Test
    void ttlsCountDownToZero() {
        CacheEntry answer = www().kept();
        Message message = Messages.query("www.example.com", Type.A);

        assertThat(ttls(UpstreamMessage.respond(answer, message, 0))).containsExactly(300L, 60L, 3600L);
        assertThat(ttls(UpstreamMessage.respond(answer, message, 59))).containsExactly(241L, 1L, 3541L);
        assertThat(ttls(UpstreamMessage.respond(answer, message, 301))).containsExactly(0L, 0L, 3299L);
        assertThat(ttls(UpstreamMessage.respond(answer, message, Integer.MAX_VALUE)))
                .containsExactly(0L, 0L, 0L);
    }

    private static long[] ttls(Message message) {
        return IntStream.of(Section.ANSWER, Section.AUTHORITY)
                .boxed()
                .flatMap(section -> message.getSection(section).stream())
                .mapToLong(Record::getTTL)
                .toArray();
    }

    @Test
    void staleAnswersHaveFixedTtl() {
        Query query =
                UpstreamMessage.parsed(Messages.query("www.example.com", Type.A).toWire());

        int end = www().kept().writeStale(query, out, 512, CacheEntry.STALE_TTL_SECONDS);

        assertThat(ttls(Messages.parse(Arrays.copyOf(out, end)))).containsExactly(30L, 30L, 30L);
    }

    /** A stale answer must not have the AD bit, because its signatures may have expired since validation. */
    @Test
    void staleAnswersHaveNoAdBit() {
        byte[] message = www().wire();
        CacheEntry answer = ((ParsedAnswer.Taken) new AnswerReader(TtlLimits.DEFAULT)
                        .read(
                                message,
                                message.length,
                                www().question(),
                                UpstreamMessage.NOW,
                                AnswerEvaluator.ALLOW_ALL,
                                Signatures.secure(60)))
                .answer();
        Message client = Messages.query("www.example.com", Type.A);
        client.getHeader().setFlag(Flags.AD);
        Query query = UpstreamMessage.parsed(client.toWire());

        int fresh = answer.write(query, out, 512, 59);
        assertThat(Messages.has(Messages.parse(Arrays.copyOf(out, fresh)), Flags.AD))
                .isTrue();
        int stale = answer.writeStale(query, out, 512, CacheEntry.STALE_TTL_SECONDS);
        assertThat(Messages.has(Messages.parse(Arrays.copyOf(out, stale)), Flags.AD))
                .isFalse();
    }

    @Test
    void isFreshDespiteClockOverflow() {
        CacheEntry answer = www().kept();

        assertThat(answer.lifetimeSeconds()).isEqualTo(60);
        assertThat(answer.ageSeconds(UpstreamMessage.NOW + 60 * SECOND - 1)).isEqualTo(59);
        assertThat(answer.isFresh(UpstreamMessage.NOW + 60 * SECOND - 1)).isTrue();
        assertThat(answer.isRefreshDue(UpstreamMessage.NOW + 60 * SECOND - 1)).isFalse();
        assertThat(answer.isFresh(UpstreamMessage.NOW + 60 * SECOND)).isFalse();
        assertThat(answer.isRefreshDue(UpstreamMessage.NOW + 60 * SECOND)).isTrue();
        assertThat(answer.ageSeconds(UpstreamMessage.NOW - SECOND)).isZero();
    }

    @Test
    void tooLargeAnswerIsTruncatedWithOpt() {
        CacheEntry answer = www().kept();
        OPTRecord opt = new OPTRecord(4096, 0, 0);
        Query query = UpstreamMessage.parsed(
                Messages.query("www.example.com", Type.A, opt).toWire());
        query.opt().error(EdnsError.OTHER, new byte[20]);
        int whole = answer.write(query, out, 512, 0);

        int fitting = answer.write(query, out, whole, 0);
        Message fits = Messages.parse(Arrays.copyOf(out, fitting));
        int cut = answer.write(query, out, whole - 1, 0);
        Message truncated = Messages.parse(Arrays.copyOf(out, cut));

        assertThat(fitting).isEqualTo(whole);
        assertThat(Messages.has(fits, Flags.TC)).isFalse();
        assertThat(Messages.has(truncated, Flags.TC)).isTrue();
        assertThat(Messages.has(truncated, Flags.RA)).isTrue();
        assertThat(truncated.getSection(Section.ANSWER)).isEmpty();
        assertThat(truncated.getSection(Section.AUTHORITY)).isEmpty();
        assertThat(truncated.getOPT().getOptions()).hasSize(1);
    }

    @Test
    void writesNothingAfterResponse() {
        Query query =
                UpstreamMessage.parsed(Messages.query("www.example.com", Type.A).toWire());
        Arrays.fill(out, (byte) 0x5a);

        int end = www().kept().write(query, out, 512, 0);

        for (int i = end; i < out.length; i++) {
            assertThat(out[i]).isEqualTo((byte) 0x5a);
        }
    }

    @Test
    void extendedCodeNeedsOpt() {
        CacheEntry answer = CacheEntry.failure(
                UpstreamMessage.question("www.example.com", Type.A), Rcode.BADCOOKIE, 5, UpstreamMessage.NOW);

        Message without = UpstreamMessage.respond(answer, Messages.query("www.example.com", Type.A), 0);
        Message with = UpstreamMessage.respond(
                answer, Messages.query("www.example.com", Type.A, new OPTRecord(1232, 0, 0)), 0);

        assertThat(without.getRcode()).isEqualTo(Rcode.SERVFAIL);
        assertThat(with.getRcode()).isEqualTo(Rcode.BADCOOKIE);
    }

    @Test
    void failureIsCachedForThirtySecondsAtMost() {
        assertThatThrownBy(() -> CacheEntry.failure(UpstreamMessage.question("a.test", Type.A), Rcode.SERVFAIL, 31, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("seconds: 31");
    }

    @Test
    void rejectsOtherName() {
        Query query =
                UpstreamMessage.parsed(Messages.query("w.example.com", Type.A).toWire());

        assertThatThrownBy(() -> www().kept().write(query, out, 512, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
