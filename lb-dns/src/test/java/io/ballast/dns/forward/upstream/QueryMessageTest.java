package io.ballast.dns.forward.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.forward.question.Question;
import io.ballast.dns.testing.Messages;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class QueryMessageTest {

    private static final String NAME = "a-1.bcdefghij.example.";

    @Test
    void containsQuestionWithoutClientData() {
        Message plain = parsed(UpstreamFixture.question(NAME));
        Message signed =
                parsed(UpstreamFixture.question(NAME, Type.AAAA, Question.DNSSEC_OK | Question.CHECKING_DISABLED));

        assertThat(plain.getHeader().getID()).isEqualTo(0x1234);
        assertThat(plain.getQuestion().getName()).hasToString(NAME);
        assertThat(plain.getQuestion().getType()).isEqualTo(Type.A);
        assertThat(Messages.has(plain, Flags.RD)).isTrue();
        assertThat(Messages.has(plain, Flags.CD)).isFalse();
        assertThat(Messages.has(plain, Flags.QR)).isFalse();
        assertThat(plain.getSection(Section.ADDITIONAL)).hasSize(1);
        OPTRecord opt = plain.getOPT();
        assertThat(opt.getPayloadSize()).isEqualTo(1232);
        assertThat(opt.getFlags()).isZero();
        assertThat(opt.getVersion()).isZero();
        assertThat(opt.getOptions()).isEmpty();
        assertThat(signed.getQuestion().getType()).isEqualTo(Type.AAAA);
        assertThat(Messages.has(signed, Flags.CD)).isTrue();
        assertThat(signed.getOPT().getFlags()).isEqualTo(ExtendedFlags.DO);
    }

    @Test
    void randomizesCaseOfLetters() {
        UnpredictableNumbers random = ScriptedRandom.of(0b0000_0101, 0b1111_1111, 0);

        Message mixed = Messages.parse(
                QueryMessage.of(UpstreamFixture.question(NAME), QueryForm.standard(/* mixesCase= */ true), random)
                        .bytes(0));

        // Each letter of the name uses one random bit, lowest bit first. Other characters use none.
        assertThat(mixed.getQuestion().getName()).hasToString("A-1.bCdefghIJ.EXAMPLe.");
    }

    @Test
    void keepsLabelLengths() {
        String longest = "a".repeat(63);
        UnpredictableNumbers random = ScriptedRandom.of(0xff);

        Message mixed = Messages.parse(QueryMessage.of(
                        UpstreamFixture.question(longest + ".b."), QueryForm.standard(/* mixesCase= */ true), random)
                .bytes(0));

        assertThat(mixed.getQuestion().getName()).hasToString("A".repeat(63) + ".B.");
    }

    @Test
    void writesRootQuestion() {
        assertThat(parsed(UpstreamFixture.question(".")).getQuestion().getName())
                .hasToString(".");
    }

    @Test
    void answerMustEchoQuestionExactly() {
        QueryMessage query = QueryMessage.of(
                UpstreamFixture.question(NAME), QueryForm.standard(/* mixesCase= */ true), ScriptedRandom.of(0b1010));
        byte[] response = FakeServer.response(query.bytes(7));
        int questionEnd = 12 + NAME.length() + 1 + 4;

        assertThat(query.isAnsweredBy(response, response.length)).isTrue();
        assertThat(query.isAnsweredBy(response, questionEnd)).isTrue();
        assertThat(query.isAnsweredBy(response, questionEnd - 1)).isFalse();
        for (int at = 12; at < questionEnd; at++) {
            byte[] other = response.clone();
            other[at] ^= 0x20;
            assertThat(query.isAnsweredBy(other, other.length))
                    .as("byte %d", at)
                    .isFalse();
        }
    }

    /** Tests that an id is skipped if it is already in use; the next random id is used instead. */
    @Test
    void idsAreRandomAndUnique() {
        IdTable ids = new IdTable();
        Attempt attempt = attempt();
        UnpredictableNumbers random = ScriptedRandom.of(1, 2, 1, 2, 1, 2, 3, 4);

        int first = ids.add(attempt, random);
        int second = ids.add(attempt, random);

        assertThat(first).isEqualTo(0x0102);
        assertThat(second).isEqualTo(0x0304);
        ids.remove(first);
        assertThat(ids.get(first)).isNull();
        assertThat(ids.get(second)).isSameAs(attempt);
    }

    @Test
    void allBytesComeFromGenerator() {
        UnpredictableNumbers random = ScriptedRandom.of(0, 1, 2, 3, 4, 5, 6, 7);
        int[] drawn = new int[10_000];
        Arrays.setAll(drawn, i -> random.nextU8());

        for (int i = 0; i < drawn.length; i++) {
            assertThat(drawn[i]).isEqualTo(i % 8);
        }
    }

    @Test
    void drawsEveryNumberBelowBound() {
        assertThat(ScriptedRandom.of(0xff, 0xff).nextBelow(16)).isEqualTo(15);
        assertThat(ScriptedRandom.of(0, 0).nextBelow(16)).isZero();
        Set<Integer> drawn = new HashSet<>();
        for (int high = 0; high < 256; high++) {
            drawn.add(ScriptedRandom.of(high, 0).nextBelow(3));
        }
        assertThat(drawn).containsExactly(0, 1, 2);
    }

    private static Attempt attempt() {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamSettings.DEFAULT)) {
            return fixture.query(
                    fixture.backend(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9)),
                    UpstreamFixture.question(NAME),
                    UpstreamProtocol.UDP,
                    new RecordedAttempt());
        }
    }

    private static Message parsed(Question question) {
        return Messages.parse(
                QueryMessage.of(question, QueryForm.standard(/* mixesCase= */ false), ScriptedRandom.of(0xff))
                        .bytes(0x1234));
    }
}
