package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNAMERecord;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests that clients get answers although resolvers do not fully implement the standards. */
class NonConformingResolversTest {

    /** A timeout so long that a test fails if it waits for the timeout. */
    private static final Duration LONG = Duration.ofSeconds(30);

    private FakeResolver unfit;
    private FakeResolver other;

    @BeforeEach
    void start() throws IOException {
        unfit = new FakeResolver("192.0.2.1");
        other = new FakeResolver("192.0.2.2");
    }

    @AfterEach
    void stop() throws IOException {
        unfit.close();
        other.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {Rcode.FORMERR, Rcode.NOTIMP, Rcode.BADVERS})
    void refusedEdnsIsRetriedWithout(int rcode) throws IOException {
        unfit.answers(query -> query.getOPT() == null ? unfit.answer(query) : refusal(query, rcode));
        try (ForwarderFixture fixture = withLongTimeouts(unfit)) {
            for (int i = 0; i < 5; i++) {
                assertThat(Messages.answers(fixture.query("n" + i + ".example.org", Type.A)))
                        .containsExactly("192.0.2.1");
            }
        }
    }

    @Test
    void droppedEdnsIsRetriedWithout() throws IOException {
        unfit.answers(query -> query.getOPT() == null ? unfit.answer(query) : null);
        try (ForwarderFixture fixture = new ForwarderFixture(
                config -> config.toBuilder()
                        .timeout(LONG)
                        .retryAfter(Duration.ofMillis(600))
                        .build(),
                unfit)) {
            for (int i = 0; i < 4; i++) {
                assertThat(Messages.answers(fixture.query("n" + i + ".example.org", Type.A)))
                        .containsExactly("192.0.2.1");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Rcode.REFUSED, Rcode.SERVFAIL})
    void errorWithoutQuestionRetriesNextResolver(int rcode) throws IOException {
        unfit.answersByHand((query, from, socket) -> {
            byte[] header = Arrays.copyOf(FakeResolver.reply(query, rcode).toWire(), 12);
            header[5] = 0; // sets the question count to 0
            socket.send(new DatagramPacket(header, header.length, from));
        });
        try (ForwarderFixture fixture = withLongTimeouts(unfit, other)) {
            for (int i = 0; i < 10; i++) {
                assertThat(Messages.answers(fixture.query("n" + i + ".example.org", Type.A)))
                        .containsExactly("192.0.2.2");
            }
            assertThat(unfit.queries()).isNotEmpty();
        }
    }

    @Test
    void referralRetriesNextResolver() throws IOException {
        unfit.answers(NonConformingResolversTest::referral);
        try (ForwarderFixture fixture = withLongTimeouts(unfit, other)) {
            for (int i = 0; i < 10; i++) {
                assertThat(Messages.answers(fixture.query("n" + i + ".example.org", Type.A)))
                        .containsExactly("192.0.2.2");
            }
            assertThat(unfit.queries()).isNotEmpty();
        }
    }

    @Test
    void onlyReferralIsServfail() throws IOException {
        unfit.answers(NonConformingResolversTest::referral);
        try (ForwarderFixture fixture = withLongTimeouts(unfit)) {
            assertThat(fixture.query("www.example.org", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {11, Rcode.NOTAUTH, Rcode.BADCOOKIE})
    void internalCodesBecomeServfail(int rcode) throws IOException {
        unfit.answers(query -> refusal(query, rcode));
        try (ForwarderFixture fixture = withLongTimeouts(unfit)) {
            assertThat(fixture.query("www.example.org", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
        }
    }

    @Test
    void badcookieIsRetriedWithCookie() throws IOException {
        unfit.answers(query -> unfit.queries().size() == 1 ? refusal(query, Rcode.BADCOOKIE) : unfit.answer(query));
        try (ForwarderFixture fixture = withLongTimeouts(unfit)) {
            assertThat(Messages.answers(fixture.query("www.example.org", Type.A)))
                    .containsExactly("192.0.2.1");
        }
    }

    @Test
    void lowerCasingResolverIsUsable() throws IOException {
        unfit.answersByHand((query, from, socket) -> {
            byte[] answer = unfit.answer(query).toWire();
            for (int at = 13; at < 12 + query.getQuestion().getName().length(); at++) {
                answer[at] = (byte) Character.toLowerCase(answer[at]);
            }
            socket.send(new DatagramPacket(answer, answer.length, from));
        });
        try (ForwarderFixture fixture = withLongTimeouts(unfit)) {
            for (int i = 0; i < 10; i++) {
                assertThat(Messages.answers(fixture.query("abcdefghijkl" + i + ".example.org", Type.A)))
                        .containsExactly("192.0.2.1");
            }
        }
    }

    @Test
    void missingCnameOfDnameIsAdded() throws IOException {
        unfit.answers(query -> redirected(query));
        try (ForwarderFixture fixture = withLongTimeouts(unfit)) {
            Message answer = fixture.query("www.example.org", Type.A);

            assertThat(Messages.data(answer, Section.ANSWER))
                    .containsExactly("example.net.", "www.example.net.", "192.0.2.1");
        }
    }

    @Test
    void cnameContradictingDnameIsRejected() throws IOException {
        unfit.answers(query -> {
            Message answer = redirected(query);
            answer.addRecord(
                    new CNAMERecord(query.getQuestion().getName(), DClass.IN, 60, Messages.name("www.evil.example")),
                    Section.ANSWER);
            answer.addRecord(
                    new ARecord(Messages.name("www.evil.example"), DClass.IN, 60, address("203.0.113.66")),
                    Section.ANSWER);
            return answer;
        });
        try (ForwarderFixture fixture = withLongTimeouts(unfit)) {
            Message answer = fixture.query("www.example.org", Type.A);

            assertThat(Messages.data(answer, Section.ANSWER))
                    .containsExactlyInAnyOrder("example.net.", "www.example.net.", "192.0.2.1");
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_OUT_OF_BAILIWICK))
                    .isEqualTo(2);
        }
    }

    private static Message redirected(Message query) {
        Message answer = FakeResolver.reply(query, Rcode.NOERROR);
        answer.addRecord(
                new DNAMERecord(Messages.name("example.org"), DClass.IN, 60, Messages.name("example.net")),
                Section.ANSWER);
        answer.addRecord(
                new ARecord(Messages.name("www.example.net"), DClass.IN, 60, address("192.0.2.1")), Section.ANSWER);
        return answer;
    }

    private static Message referral(Message query) {
        Message referral = FakeResolver.reply(query, Rcode.NOERROR);
        referral.getHeader().unsetFlag(Flags.RA);
        referral.addRecord(
                new NSRecord(Messages.name("org"), DClass.IN, 86_400, Messages.name("a.ns.example")),
                Section.AUTHORITY);
        return referral;
    }

    private static Message refusal(Message query, int rcode) {
        Message refusal = FakeResolver.reply(query, rcode & 0xf);
        if (rcode > 0xf) {
            refusal.addRecord(new OPTRecord(1232, rcode >> 4, 0), Section.ADDITIONAL);
        }
        return refusal;
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /** A fixture with timeouts so long that no query is retried. */
    private static ForwarderFixture withLongTimeouts(FakeResolver... resolvers) throws IOException {
        return new ForwarderFixture(NonConformingResolversTest::withLongTimeouts, resolvers);
    }

    private static DnsForwardConfig withLongTimeouts(DnsForwardConfig config) {
        return config.toBuilder().timeout(LONG).retryAfter(LONG).build();
    }
}
