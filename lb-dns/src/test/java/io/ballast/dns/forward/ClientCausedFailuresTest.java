package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.config.OutlierConfig;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.NULLRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * Tests that no client can cause a healthy resolver to be ejected, by its queries or by the answers of a zone that it
 * controls.
 */
class ClientCausedFailuresTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    /** Answers of a healthy resolver for names in a broken zone. */
    enum Fault {
        ALIASES_IN_A_CIRCLE(query -> {
            Message answer = FakeResolver.reply(query, Rcode.NOERROR);
            Name queried = query.getQuestion().getName();
            Name back = Messages.name("back.broken.example");
            answer.addRecord(new CNAMERecord(queried, DClass.IN, 60, back), Section.ANSWER);
            answer.addRecord(new CNAMERecord(back, DClass.IN, 60, queried), Section.ANSWER);
            return answer;
        }),
        TOO_MANY_ALIASES(query -> {
            Message answer = FakeResolver.reply(query, Rcode.NOERROR);
            Name last = query.getQuestion().getName();
            for (int i = 0; i < 17; i++) {
                Name next = Messages.name("a" + i + ".broken.example");
                answer.addRecord(new CNAMERecord(last, DClass.IN, 60, next), Section.ANSWER);
                last = next;
            }
            return answer;
        }),
        SERVFAIL(query -> FakeResolver.reply(query, Rcode.SERVFAIL)),
        SILENCE(query -> null),
        REFERRAL(query -> {
            Message answer = FakeResolver.reply(query, Rcode.NOERROR);
            answer.addRecord(
                    new NSRecord(Messages.name("broken.example"), DClass.IN, 60, Messages.name("ns.broken.example")),
                    Section.AUTHORITY);
            return answer;
        }),
        /** The answer exceeds the size of a TCP message. */
        TRUNCATED(query -> {
            Message answer = FakeResolver.reply(query, Rcode.NOERROR);
            answer.getHeader().setFlag(Flags.TC);
            return answer;
        });

        private final Function<Message, @Nullable Message> answer;

        Fault(Function<Message, @Nullable Message> answer) {
            this.answer = answer;
        }
    }

    private final List<String> ejected = new CopyOnWriteArrayList<>();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();
    private FakeResolver one;
    private FakeResolver other;

    @BeforeEach
    void start() throws IOException {
        one = new FakeResolver("192.0.2.1");
        other = new FakeResolver("192.0.2.2");
    }

    @AfterEach
    void stop() throws IOException {
        one.close();
        other.close();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void brokenZoneIsNoResolverFailure(Fault fault) throws IOException {
        one.answers(fault.answer);
        other.answers(fault.answer);
        Duration brief = fault == Fault.SILENCE ? Duration.ofMillis(100) : LONG;
        try (ForwarderFixture fixture = fixture(brief, brief, one, other)) {
            for (int i = 0; i < 15; i++) {
                assertThat(fixture.query("n" + i + ".broken.example", Type.A).getRcode())
                        .isEqualTo(Rcode.SERVFAIL);
            }

            assertThatNothingCounts(fixture);
        }
    }

    /** Tests malformed data of a record type that the resolver does not know and therefore forwards unchanged. */
    @Test
    void malformedZoneDataIsNoResolverFailure() throws IOException {
        one.answersByHand(ClientCausedFailuresTest::answerMalformed);
        other.answersByHand(ClientCausedFailuresTest::answerMalformed);
        try (ForwarderFixture fixture = fixture(LONG, LONG, one, other)) {
            for (int i = 0; i < 15; i++) {
                assertThat(fixture.query("n" + i + ".broken.example", Type.SVCB).getRcode())
                        .isEqualTo(Rcode.SERVFAIL);
            }

            assertThatNothingCounts(fixture);
        }
    }

    private static void answerMalformed(Message query, SocketAddress from, DatagramSocket socket) throws IOException {
        byte[] data = {0, 1, 63}; // the target's label is longer than the data
        Message answer = FakeResolver.reply(query, Rcode.NOERROR);
        answer.addRecord(new NULLRecord(query.getQuestion().getName(), DClass.IN, 60, data), Section.ANSWER);
        byte[] wire = answer.toWire();
        int typeAt = wire.length - data.length - 10;
        wire[typeAt + 1] = (byte) Type.SVCB;
        socket.send(new DatagramPacket(wire, wire.length, from));
    }

    private void assertThatNothingCounts(ForwarderFixture fixture) {
        assertThat(failed).hasValue(0);
        assertThat(ejected).isEmpty();
        for (Backend backend : backends(fixture)) {
            assertThat(backend.requestErrors().total()).isZero();
        }
    }

    @Test
    void silentResolversAreReported() throws IOException {
        one.isSilent();
        Duration brief = Duration.ofMillis(100);
        try (ForwarderFixture fixture = fixture(brief, brief, one)) {
            fixture.query("www.example.org", Type.A);

            assertThat(unanswered).hasPositiveValue();
            assertThat(ejected).isEmpty();
        }
    }

    /**
     * Tests a zone that answers only one of two resolvers. A client that queries only this zone must not be able to
     * cause the ejection of the first resolver.
     */
    @Test
    void answerResetsResolverFailures() throws IOException {
        one.answers(query -> isBroken(query) ? FakeResolver.reply(query, Rcode.SERVFAIL) : one.answer(query));
        try (ForwarderFixture fixture = fixture(LONG, LONG, one, other)) {
            long end = System.nanoTime() + 2 * minNanos();
            for (int i = 0; System.nanoTime() - end < 0; i++) {
                for (int j = 0; j < 2 * OutlierConfig.DEFAULT.consecutiveErrors(); j++) {
                    fixture.query("n" + i + "-" + j + ".broken.example", Type.A);
                }
                fixture.query("a" + i + ".example.org", Type.A);
                fixture.query("b" + i + ".example.org", Type.A);
            }

            assertThat(failed).hasPositiveValue();
            assertThat(ejected).isEmpty();
        }
    }

    @Test
    void resolverFailingAnswerableQueriesIsEjected() throws IOException {
        one.fails(Rcode.SERVFAIL);
        try (ForwarderFixture fixture = fixture(LONG, LONG, one, other)) {
            sendUntilEjected(fixture);

            assertThat(ejected.get(0))
                    .startsWith("127.0.0.1:" + one.port())
                    .endsWith("that other resolvers answered: SERVFAIL");
        }
    }

    @Test
    void resolverSilentOnAnswerableQueriesIsEjected() throws IOException {
        one.isSilent();
        try (ForwarderFixture fixture = fixture(LONG, Duration.ofMillis(50), one, other)) {
            sendUntilEjected(fixture);

            assertThat(ejected.get(0)).startsWith("127.0.0.1:" + one.port()).endsWith("no answer in time");
        }
    }

    @Test
    void unreachableResolverIsEjectedImmediately() throws IOException {
        one.close();
        try (ForwarderFixture fixture = fixture(LONG, Duration.ofMillis(50), one, other)) {
            sendUntilEjected(fixture);

            assertThat(ejected.get(0)).startsWith("127.0.0.1:" + one.port()).endsWith("refused");
        }
    }

    private void sendUntilEjected(ForwarderFixture fixture) throws IOException {
        long started = System.nanoTime();
        for (int i = 0; ejected.isEmpty(); i++) {
            assertThat(System.nanoTime() - started).as("ejected in time").isLessThan(LONG.toNanos());
            assertThat(Messages.answers(fixture.query("n" + i + ".example.org", Type.A)))
                    .containsExactly("192.0.2.2");
        }
    }

    private static long minNanos() {
        return Duration.ofSeconds(1).toNanos();
    }

    private static boolean isBroken(Message query) {
        return query.getQuestion().getName().toString().toLowerCase(Locale.ROOT).contains("broken");
    }

    private ForwarderFixture fixture(Duration timeout, Duration retryAfter, FakeResolver... resolvers)
            throws IOException {
        ForwarderFixture fixture = new ForwarderFixture(
                config -> config.toBuilder()
                        .timeout(timeout)
                        .retryAfter(retryAfter)
                        .build(),
                resolvers);
        fixture.frontend().onUpstreamFailure(new UpstreamFailureListener() {
            @Override
            public void onQueryFailed(Backend backend) {
                failed.incrementAndGet();
            }

            @Override
            public void onRepeatedFailures(Backend backend, String reason) {
                ejected.add(backend.address() + " " + reason);
            }

            @Override
            public void onQueryUnanswered(Backend backend) {
                unanswered.incrementAndGet();
            }
        });
        return fixture;
    }

    private static List<Backend> backends(ForwarderFixture fixture) {
        return fixture.zones().topology().pool(ForwarderFixture.POOL).members().stream()
                .map(Member::backend)
                .toList();
    }
}
