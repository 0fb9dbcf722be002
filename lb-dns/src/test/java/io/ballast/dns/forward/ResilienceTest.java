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

/** Tests that clients notice as little as possible of resolvers that crash, fail, are silent or slow. */
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
        try (ForwardWorld world = new ForwardWorld(config -> timed(config, LONG, Duration.ofMillis(50)), one, other)) {
            for (int i = 0; i < 20; i++) {
                assertThat(Messages.answers(world.ask("n" + i + ".example.org", Type.A)))
                        .containsExactly("192.0.2.2");
            }
        }
    }

    @Test
    void silentResolverIsHedged() throws IOException {
        one.isSilent();
        try (ForwardWorld world = new ForwardWorld(config -> timed(config, LONG, Duration.ofMillis(50)), one, other)) {
            for (int i = 0; i < 5; i++) {
                assertThat(Messages.answers(world.ask("n" + i + ".example.org", Type.A)))
                        .containsExactly("192.0.2.2");
            }
        }
    }

    @Test
    void failuresAreCountedPerResolver() throws IOException {
        one.fails(Rcode.SERVFAIL);
        try (ForwardWorld world = new ForwardWorld(config -> timed(config, LONG, LONG), one, other)) {
            AtomicInteger told = new AtomicInteger();
            world.frontend().onUpstreamFailure(new UpstreamFailureListener() {
                @Override
                public void onQueryFailed(Backend backend) {
                    assertThat(backend.address()).isEqualTo(new HostPort("127.0.0.1", one.port()));
                    told.incrementAndGet();
                }

                @Override
                public void onRepeatedFailures(Backend backend, String reason) {}
            });
            for (int i = 0; i < 20; i++) {
                world.ask("n" + i + ".example.org", Type.A);
            }

            Backend failing = world.world().topology().pool(ForwardWorld.POOL).members().stream()
                    .map(Member::backend)
                    .filter(backend -> backend.address().equals(new HostPort("127.0.0.1", one.port())))
                    .findFirst()
                    .orElseThrow();
            assertThat(told).hasPositiveValue();
            assertThat(failing.stats().sum(BackendCounter.RESPONSES_5XX)).isEqualTo(told.get());
            assertThat(failing.stats().sum(BackendCounter.RETRIES)).isEqualTo(told.get());
        }
    }

    @Test
    void failureRetriesNextResolver() throws IOException {
        one.fails(Rcode.SERVFAIL);
        try (ForwardWorld world = new ForwardWorld(config -> timed(config, LONG, LONG), one, other)) {
            for (int i = 0; i < 20; i++) {
                assertThat(world.ask("n" + i + ".example.org", Type.A).getRcode())
                        .isEqualTo(Rcode.NOERROR);
            }
        }
    }

    @Test
    void manyFailuresAreForwarded() throws IOException {
        one.fails(Rcode.SERVFAIL);
        other.fails(Rcode.SERVFAIL);
        try (ForwardWorld world = new ForwardWorld(UnaryOperator.identity(), one, other)) {
            assertThat(world.ask("www.example.org", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            int asked = one.asked().size() + other.asked().size();
            assertThat(world.ask("www.example.org", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(one.asked().size() + other.asked().size())
                    .as("the failure is cached for a while")
                    .isEqualTo(asked);
            assertThat(world.frontend().stats().sum(DnsCounter.FORWARD_SERVFAIL))
                    .as("whether kept or not")
                    .isEqualTo(2);
            assertThat(world.frontend().stats().sum(DnsCounter.FORWARD_QUERIES)).isEqualTo(2);
            one.answersAgain();
            other.answersAgain();
            assertThat(world.ask("other.example.org", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void lostDatagramIsResent() throws IOException {
        one.answers(query -> one.asked().size() == 1 ? null : one.answer(query));
        try (ForwardWorld world = new ForwardWorld(config -> timed(config, LONG, Duration.ofMillis(50)), one)) {
            assertThat(Messages.answers(world.ask("www.example.org", Type.A))).containsExactly("192.0.2.1");
            assertThat(one.asked("www.example.org")).isEqualTo(2);
        }
    }

    @Test
    void staleAnswerIsServedDuringOutage() throws Exception {
        UnaryOperator<DnsForwardConfig> change = config -> brief(timed(config, LONG, LONG), Duration.ofMillis(20));
        try (ForwardWorld world = new ForwardWorld(change, one)) {
            world.ask("www.example.org", Type.A);
            one.isSilent();
            world.awaitStale(Messages.query("www.example.org", Type.A));

            Message stale = world.ask("www.example.org", Type.A);

            assertThat(Messages.answers(stale)).containsExactly("192.0.2.1");
            assertThat(stale.getSection(Section.ANSWER).get(0).getTTL()).isEqualTo(30);
            assertThat(world.frontend().stats().sum(DnsCounter.FORWARD_MISSES))
                    .as("no second wait after a failed refresh")
                    .isEqualTo(2);
        }
    }

    @Test
    void queriesFailWithoutStaleAnswer() throws IOException {
        one.isSilent();
        Duration brief = Duration.ofMillis(50);
        try (ForwardWorld world = new ForwardWorld(config -> timed(config, brief, brief), one)) {
            Message answer = world.ask("www.example.org", Type.A);
            assertThat(answer.getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(world.frontend().stats().sum(DnsCounter.FORWARD_FAILED)).isEqualTo(1);
            assertThat(world.frontend().forwarding().permits().inUse()).isZero();
        }
    }

    @Test
    void newestQueriesOfFloodAreRefused() throws Exception {
        one.isSilent();
        UnaryOperator<DnsForwardConfig> change = config -> max(timed(config, LONG, Duration.ofSeconds(1)), 10);
        try (ForwardWorld world = new ForwardWorld(change, one)) {
            List<Message> answers = world.askTogether(flood(30), () -> {
                ForwardWorld.await(() -> world.frontend().stats().sum(DnsCounter.FORWARD_OVERLOADED) == 25);
                assertThat(world.frontend().forwarding().permits().inUse())
                        .as("half of all")
                        .isEqualTo(5);
                one.answersAgain();
            });
            assertThat(answers.stream().filter(answer -> answer.getRcode() == Rcode.REFUSED))
                    .hasSize(25);
            assertThat(answers.stream().filter(answer -> answer.getRcode() == Rcode.NOERROR))
                    .hasSize(5);
            assertThat(world.frontend().forwarding().permits().inUse()).isZero();
        }
    }

    @Test
    void clientBesideFloodIsAnswered() throws Exception {
        one.answers(query -> isFlood(query) ? null : one.answer(query));
        UnaryOperator<DnsForwardConfig> change = config -> max(timed(config, LONG, Duration.ofSeconds(1)), 10);
        try (ForwardWorld world = new ForwardWorld(change, one)) {
            world.askTogether(flood(30), () -> {
                ForwardWorld.await(() -> world.frontend().stats().sum(DnsCounter.FORWARD_OVERLOADED) == 25);
                for (int i = 0; i < 10; i++) {
                    assertThat(Messages.answers(world.askFrom("127.0.0.2", "w" + i + ".example.org", Type.A)))
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
