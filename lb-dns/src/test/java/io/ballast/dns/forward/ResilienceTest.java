package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.balance.Member;
import io.ballast.core.config.HostPort;
import io.ballast.dns.config.forward.DnsCacheConfig;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests that clients notice as little as possible when resolvers crash, fail, do not answer or are slow. */
class ResilienceTest {

    private static final Duration LONG = Duration.ofSeconds(30);

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

    @Test
    void failedResolverLosesNoAnswer() throws IOException {
        one.close(); // ICMP reports the closed port, but is rate-limited
        try (ForwarderFixture fixture =
                new ForwarderFixture(config -> timed(config, LONG, Duration.ofMillis(50)), one, other)) {
            for (int i = 0; i < 20; i++) {
                assertThat(Messages.answers(fixture.query("n" + i + ".example.org", Type.A)))
                        .containsExactly("192.0.2.2");
            }
        }
    }

    @Test
    void silentResolverIsHedged() throws IOException {
        one.isSilent();
        try (ForwarderFixture fixture =
                new ForwarderFixture(config -> timed(config, LONG, Duration.ofMillis(50)), one, other)) {
            for (int i = 0; i < 5; i++) {
                assertThat(Messages.answers(fixture.query("n" + i + ".example.org", Type.A)))
                        .containsExactly("192.0.2.2");
            }
        }
    }

    @Test
    void failuresAreCountedPerResolver() throws IOException {
        one.fails(Rcode.SERVFAIL);
        try (ForwarderFixture fixture = new ForwarderFixture(config -> timed(config, LONG, LONG), one, other)) {
            AtomicInteger count = new AtomicInteger();
            fixture.frontend().onUpstreamFailure(new UpstreamFailureListener() {
                @Override
                public void onQueryFailed(Backend backend) {
                    assertThat(backend.address()).isEqualTo(new HostPort("127.0.0.1", one.port()));
                    count.incrementAndGet();
                }

                @Override
                public void onRepeatedFailures(Backend backend, String reason) {}
            });
            for (int i = 0; i < 20; i++) {
                fixture.query("n" + i + ".example.org", Type.A);
            }

            Backend failing = fixture.zones().topology().pool(ForwarderFixture.POOL).members().stream()
                    .map(Member::backend)
                    .filter(backend -> backend.address().equals(new HostPort("127.0.0.1", one.port())))
                    .findFirst()
                    .orElseThrow();
            assertThat(count).hasPositiveValue();
            assertThat(failing.stats().sum(BackendCounter.RESPONSES_5XX)).isEqualTo(count.get());
            assertThat(failing.stats().sum(BackendCounter.RETRIES)).isEqualTo(count.get());
        }
    }

    @Test
    void failureRetriesNextResolver() throws IOException {
        one.fails(Rcode.SERVFAIL);
        try (ForwarderFixture fixture = new ForwarderFixture(config -> timed(config, LONG, LONG), one, other)) {
            for (int i = 0; i < 20; i++) {
                assertThat(fixture.query("n" + i + ".example.org", Type.A).getRcode())
                        .isEqualTo(Rcode.NOERROR);
            }
        }
    }

    @Test
    void manyFailuresAreForwarded() throws IOException {
        one.fails(Rcode.SERVFAIL);
        other.fails(Rcode.SERVFAIL);
        try (ForwarderFixture fixture = new ForwarderFixture(UnaryOperator.identity(), one, other)) {
            assertThat(fixture.query("www.example.org", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            int queryCount = one.queries().size() + other.queries().size();
            assertThat(fixture.query("www.example.org", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(one.queries().size() + other.queries().size())
                    .as("the failure is cached for a while")
                    .isEqualTo(queryCount);
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_SERVFAIL))
                    .as("whether kept or not")
                    .isEqualTo(2);
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_QUERIES))
                    .isEqualTo(2);
            one.answersAgain();
            other.answersAgain();
            assertThat(fixture.query("other.example.org", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void lostDatagramIsResent() throws IOException {
        one.answers(query -> one.queries().size() == 1 ? null : one.answer(query));
        try (ForwarderFixture fixture =
                new ForwarderFixture(config -> timed(config, LONG, Duration.ofMillis(50)), one)) {
            assertThat(Messages.answers(fixture.query("www.example.org", Type.A)))
                    .containsExactly("192.0.2.1");
            assertThat(one.queries("www.example.org")).isEqualTo(2);
        }
    }

    @Test
    void staleAnswerIsServedDuringOutage() throws Exception {
        UnaryOperator<DnsForwardConfig> change = config -> brief(timed(config, LONG, LONG), Duration.ofMillis(20));
        try (ForwarderFixture fixture = new ForwarderFixture(change, one)) {
            fixture.query("www.example.org", Type.A);
            one.isSilent();
            fixture.awaitStale(Messages.query("www.example.org", Type.A));

            Message stale = fixture.query("www.example.org", Type.A);

            assertThat(Messages.answers(stale)).containsExactly("192.0.2.1");
            assertThat(stale.getSection(Section.ANSWER).get(0).getTTL()).isEqualTo(30);
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_MISSES))
                    .as("no second wait after a failed refresh")
                    .isEqualTo(2);
        }
    }

    @Test
    void queriesFailWithoutStaleAnswer() throws IOException {
        one.isSilent();
        Duration brief = Duration.ofMillis(50);
        try (ForwarderFixture fixture = new ForwarderFixture(config -> timed(config, brief, brief), one)) {
            Message answer = fixture.query("www.example.org", Type.A);
            assertThat(answer.getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_FAILED))
                    .isEqualTo(1);
            assertThat(fixture.frontend().forwarding().permits().inUse()).isZero();
        }
    }

    @Test
    void newestQueriesOfFloodAreRefused() throws Exception {
        one.isSilent();
        UnaryOperator<DnsForwardConfig> change = config -> max(timed(config, LONG, Duration.ofSeconds(1)), 10);
        try (ForwarderFixture fixture = new ForwarderFixture(change, one)) {
            List<Message> answers = fixture.queryTogether(flood(30), () -> {
                ForwarderFixture.await(() -> fixture.frontend().stats().sum(DnsCounter.FORWARD_OVERLOADED) == 25);
                assertThat(fixture.frontend().forwarding().permits().inUse())
                        .as("half of all")
                        .isEqualTo(5);
                one.answersAgain();
            });
            assertThat(answers.stream().filter(answer -> answer.getRcode() == Rcode.REFUSED))
                    .hasSize(25);
            assertThat(answers.stream().filter(answer -> answer.getRcode() == Rcode.NOERROR))
                    .hasSize(5);
            assertThat(fixture.frontend().forwarding().permits().inUse()).isZero();
        }
    }

    @Test
    void clientBesideFloodIsAnswered() throws Exception {
        one.answers(query -> isFlood(query) ? null : one.answer(query));
        UnaryOperator<DnsForwardConfig> change = config -> max(timed(config, LONG, Duration.ofSeconds(1)), 10);
        try (ForwarderFixture fixture = new ForwarderFixture(change, one)) {
            fixture.queryTogether(flood(30), () -> {
                ForwarderFixture.await(() -> fixture.frontend().stats().sum(DnsCounter.FORWARD_OVERLOADED) == 25);
                for (int i = 0; i < 10; i++) {
                    assertThat(Messages.answers(fixture.queryFrom("127.0.0.2", "w" + i + ".example.org", Type.A)))
                            .containsExactly("192.0.2.1");
                }
                one.answersAgain();
            });
        }
    }

    private static List<byte[]> flood(int queries) {
        return IntStream.range(0, queries)
                .mapToObj(i -> Messages.query("n" + i + ".example.org", Type.A).toWire())
                .toList();
    }

    private static boolean isFlood(Message query) {
        return Character.toLowerCase(query.getQuestion().getName().toString().charAt(0)) == 'n';
    }

    private static DnsForwardConfig timed(DnsForwardConfig config, Duration timeout, Duration retryAfter) {
        return config.toBuilder().timeout(timeout).retryAfter(retryAfter).build();
    }

    private static DnsForwardConfig max(DnsForwardConfig config, int outstanding) {
        return config.toBuilder().outstanding(outstanding).build();
    }

    private static DnsForwardConfig brief(DnsForwardConfig config, Duration staleAfter) {
        DnsCacheConfig cache = new DnsCacheConfig(
                1 << 20,
                Duration.ZERO,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofDays(1),
                staleAfter,
                /* prefetch= */ false,
                /* snapshot= */ false);
        return config.toBuilder().cache(Optional.of(cache)).build();
    }
}
