package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.net.Cidr;
import io.ballast.dns.config.forward.DnsCacheConfig;
import io.ballast.dns.config.forward.DnsClientSubnetConfig;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsFilterConfig.Rewrite;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsForwardConfig.Protocol;
import io.ballast.dns.config.forward.DnsForwardConfig.Upstream;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests the client subnet sent to resolvers, and the scope of their answers (RFC 7871). */
class ClientSubnetTest {

    private static final String NAME = "cdn.example.org";
    private static final UnaryOperator<DnsForwardConfig> PUBLIC = told(DnsClientSubnetConfig.DEFAULT);
    private static final UnaryOperator<DnsForwardConfig> PRIVATE = told(new DnsClientSubnetConfig(24, 56, true));

    private FakeResolver resolver;

    @BeforeEach
    void start() throws IOException {
        resolver = new FakeResolver("192.0.2.1");
        SubnetResolver.tailors(resolver, ClientSubnetOption::getSourcePrefixLength);
    }

    @AfterEach
    void stop() throws IOException {
        resolver.close();
    }

    private static UnaryOperator<DnsForwardConfig> told(DnsClientSubnetConfig subnet) {
        return config -> config.toBuilder()
                .upstream(new Upstream(ForwardWorld.POOL, Protocol.UDP, Upstream.DEFAULT_PATH, Optional.of(subnet)))
                .timeout(Duration.ofSeconds(30))
                .retryAfter(Duration.ofSeconds(30))
                .build();
    }

    private static String said(Message answer) {
        assertThat(answer.getRcode()).isEqualTo(Rcode.NOERROR);
        return Messages.answers(answer).get(0).replace("\"", "");
    }

    private static int scope(Message answer) {
        ClientSubnetOption option = SubnetResolver.told(answer);
        assertThat(option).as("of %s", answer).isNotNull();
        return option.getScopePrefixLength();
    }

    @Test
    void sendsNoSubnetByDefault() throws IOException {
        try (ForwardWorld world = new ForwardWorld(config -> config, resolver)) {
            Message answer = world.ask(SubnetResolver.query(NAME, "198.51.100.0", 24));

            assertThat(said(answer)).isEqualTo("none");
            assertThat(scope(answer)).isZero();
            assertThat(SubnetResolver.heard(resolver)).containsExactly("none");
        }
    }

    @Test
    void answersAreCachedPerNetwork() throws IOException {
        try (ForwardWorld world = new ForwardWorld(PRIVATE, resolver)) {
            Message first = world.askFrom("127.0.1.1", NAME, Type.TXT);
            Message other = world.askFrom("127.0.2.1", NAME, Type.TXT);
            Message neighbour = world.askFrom("127.0.1.200", NAME, Type.TXT);

            assertThat(said(first)).isEqualTo("127.0.1.0/24 family 1");
            assertThat(said(other)).isEqualTo("127.0.2.0/24 family 1");
            assertThat(said(neighbour)).isEqualTo("127.0.1.0/24 family 1");
            assertThat(first.getOPT()).as("the query had no OPT").isNull();
            assertThat(SubnetResolver.heard(resolver)).hasSize(2);
            assertThat(world.frontend().stats().sum(DnsCounter.FORWARD_HITS)).isOne();
            assertThat(world.frontend().stats().sum(DnsCounter.SUBNETS_TOLD)).isEqualTo(2);
        }
    }

    @Test
    void privateNetworksAreNotSent() throws IOException {
        try (ForwardWorld world = new ForwardWorld(PUBLIC, resolver)) {
            assertThat(said(world.askFrom("127.0.1.1", NAME, Type.TXT))).isEqualTo("none");
            assertThat(said(world.askFrom("127.0.2.1", NAME, Type.TXT))).isEqualTo("none");
            Message ofResolver = world.ask(SubnetResolver.query(NAME, "10.1.2.0", 24));

            assertThat(said(ofResolver)).isEqualTo("none");
            assertThat(scope(ofResolver))
                    .as("the scope covers only this network")
                    .isEqualTo(24);
            assertThat(SubnetResolver.heard(resolver)).containsExactly("none");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "198.51.100.77, 32, 198.51.100.0/24 family 1",
        "198.51.100.0, 24, 198.51.100.0/24 family 1",
        "198.51.0.0, 20, 198.51.0.0/20 family 1",
        "2001:db8:1:2ff:3::, 80, 2001:db8:1:200:0:0:0:0/56 family 2",
        "2001:db8::, 32, 2001:db8:0:0:0:0:0:0/32 family 2"
    })
    void trustedResolverSubnetIsForwardedWithLimitedLength(String address, int source, String told) throws IOException {
        try (ForwardWorld world = new ForwardWorld(PUBLIC, resolver)) {
            Message answer = world.ask(SubnetResolver.query(NAME, address, source));

            assertThat(said(answer)).isEqualTo(told);
            ClientSubnetOption echoed = SubnetResolver.told(answer);
            assertThat(echoed.getAddress()).isEqualTo(InetAddress.getByName(address));
            assertThat(echoed.getSourcePrefixLength()).isEqualTo(source);
            int asked = Integer.parseInt(told.replaceAll(".*/| .*", ""));
            assertThat(echoed.getScopePrefixLength()).isEqualTo(asked);
        }
    }

    @Test
    void untrustedClientUsesSourceAddress() throws IOException {
        try (ForwardWorld world = new ForwardWorld(PRIVATE, resolver)) {
            world.trustSubnetsOf(PRIVATE, List.of(Cidr.parse("127.0.0.2")));
            Message answer = world.ask(SubnetResolver.query(NAME, "198.51.100.0", 22));

            assertThat(said(answer)).isEqualTo("127.0.0.0/24 family 1");
            assertThat(scope(answer)).as("limited to the source prefix").isEqualTo(22);
        }
    }

    @Test
    void zeroPrefixOfClientIsRespected() throws IOException {
        try (ForwardWorld world = new ForwardWorld(PRIVATE, resolver)) {
            world.trustSubnetsOf(PRIVATE, List.of(Cidr.parse("127.0.0.2")));
            for (int i = 0; i < 2; i++) {
                Message answer = world.ask(SubnetResolver.query(NAME, "0.0.0.0", 0));
                assertThat(said(answer)).isEqualTo("0.0.0.0/0 family 1");
                assertThat(scope(answer)).isZero();
            }
            assertThat(said(world.ask(NAME, Type.TXT)))
                    .as("not shared with other clients")
                    .startsWith("127.0.0.0/24");
            assertThat(SubnetResolver.heard(resolver)).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 16, 23})
    void shorterScopeIsShared(int scope) throws IOException {
        SubnetResolver.tailors(resolver, told -> scope);
        try (ForwardWorld world = new ForwardWorld(PUBLIC, resolver)) {
            Message first = world.ask(SubnetResolver.query(NAME, "198.51.100.0", 24));
            Message inside = world.ask(SubnetResolver.query(NAME, "198.51.101.9", 32));
            Message outside = world.ask(SubnetResolver.query(NAME, "200.51.100.0", 24));
            Message wider = world.ask(SubnetResolver.query(NAME, "198.0.0.0", scope - 1));

            assertThat(said(first)).isEqualTo("198.51.100.0/24 family 1");
            assertThat(said(inside)).isEqualTo(said(first));
            assertThat(scope(inside)).isEqualTo(scope);
            assertThat(said(outside)).isEqualTo("200.51.100.0/24 family 1");
            assertThat(said(wider)).as("outside the cached scope").isEqualTo("198.0.0.0/" + (scope - 1) + " family 1");
        }
    }

    @Test
    void longerScopeIsForSentNetworkOnly() throws IOException {
        SubnetResolver.tailors(resolver, told -> 32);
        try (ForwardWorld world = new ForwardWorld(PUBLIC, resolver)) {
            Message first = world.ask(SubnetResolver.query(NAME, "198.51.100.1", 32));
            Message neighbour = world.ask(SubnetResolver.query(NAME, "198.51.100.2", 32));
            assertThat(said(neighbour)).isEqualTo(said(first));
            assertThat(scope(neighbour)).isEqualTo(32);

            world.ask(SubnetResolver.query("other." + NAME, "198.51.0.0", 16));
            Message longer = world.ask(SubnetResolver.query("other." + NAME, "198.51.100.0", 24));
            Message again = world.ask(SubnetResolver.query("other." + NAME, "198.51.0.0", 16));
            assertThat(said(longer)).as("a longer prefix").isEqualTo("198.51.100.0/24 family 1");
            assertThat(said(again)).as("the same prefix").isEqualTo("198.51.0.0/16 family 1");
            assertThat(SubnetResolver.heard(resolver)).hasSize(3);
        }
    }

    @Test
    void zeroScopeIsSharedByAll() throws IOException {
        SubnetResolver.tailors(resolver, told -> 0);
        try (ForwardWorld world = new ForwardWorld(PUBLIC, resolver)) {
            Message first = world.ask(SubnetResolver.query(NAME, "198.51.100.0", 24));
            Message far = world.ask(SubnetResolver.query(NAME, "2001:db8::", 48));
            Message nowhere = world.ask(SubnetResolver.query(NAME, "0.0.0.0", 0));
            Message inside = world.ask(NAME, Type.TXT);

            for (Message each : List.of(far, nowhere, inside)) {
                assertThat(said(each)).isEqualTo(said(first));
            }
            assertThat(scope(far)).isZero();
            assertThat(SubnetResolver.heard(resolver)).hasSize(1);
        }
    }

    @Test
    void answerWithoutScopeIsSharedByAll() throws IOException {
        resolver.answers(SubnetResolver::tailored);
        try (ForwardWorld world = new ForwardWorld(PUBLIC, resolver)) {
            Message first = world.ask(SubnetResolver.query(NAME, "198.51.100.0", 24));
            Message other = world.ask(SubnetResolver.query(NAME, "203.0.113.0", 24));

            assertThat(said(other)).isEqualTo(said(first));
            assertThat(scope(other)).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"FORMERR, 1", "REFUSED, 2"})
    void refusedSubnetIsRetriedWithout(String code, int networksAsked) throws IOException {
        resolver.answers(query -> SubnetResolver.told(query) == null
                ? SubnetResolver.tailored(query)
                : FakeResolver.reply(query, Rcode.value(code)));
        try (ForwardWorld world = new ForwardWorld(PUBLIC, resolver)) {
            for (String network : List.of("198.51.100.0", "203.0.113.0", "198.51.100.0", "203.0.113.0")) {
                assertThat(said(world.ask(SubnetResolver.query(NAME, network, 24))))
                        .isEqualTo("none");
            }
            assertThat(world.frontend().stats().sum(DnsCounter.SUBNETS_REFUSED)).isEqualTo(networksAsked);
            assertThat(SubnetResolver.heard(resolver)).hasSize(2 * networksAsked);
        }
    }

    @Test
    void refusalWithAndWithoutSubnetEnds() throws IOException {
        resolver.fails(Rcode.REFUSED);
        try (ForwardWorld world = new ForwardWorld(PUBLIC, resolver)) {
            assertThat(world.ask(SubnetResolver.query(NAME, "198.51.100.0", 24)).getRcode())
                    .isEqualTo(Rcode.REFUSED);
            assertThat(SubnetResolver.heard(resolver)).containsExactly("198.51.100.0/24 family 1", "none");
        }
    }

    @Test
    void answerForOtherNetworkIsRejected() throws Exception {
        InetAddress forged = InetAddress.getByName("203.0.113.0");
        CountDownLatch told = new CountDownLatch(1);
        resolver.answers(query -> {
            Message reply = SubnetResolver.tailored(query);
            if (query.getQuestion().getName().toString(true).equalsIgnoreCase(NAME)) {
                reply.addRecord(SubnetResolver.opt(24, 0, forged), Section.ADDITIONAL);
                told.countDown();
            }
            return reply;
        });
        UnaryOperator<DnsForwardConfig> brief = config -> PUBLIC.apply(config).toBuilder()
                .timeout(Duration.ofMillis(300))
                .retryAfter(Duration.ofMillis(300))
                .build();
        try (ForwardWorld world = new ForwardWorld(brief, resolver)) {
            Message answer = world.ask(SubnetResolver.query(NAME, "198.51.100.0", 24));

            assertThat(answer.getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
            // An accepted answer, so that no query is tried without EDNS, however long the first one took.
            Message accepted = world.ask(SubnetResolver.query("other.example.org", "0.0.0.0", 0));
            assertThat(accepted.getRcode()).isEqualTo(Rcode.NOERROR);
            Message victim = world.ask(SubnetResolver.query(NAME, "203.0.113.0", 24));
            assertThat(said(victim)).as("a query for its own network").isEqualTo("203.0.113.0/24 family 1");
        }
    }

    @Test
    void failureIsCachedPerNetwork() throws IOException {
        resolver.answers(query -> {
            ClientSubnetOption option = SubnetResolver.told(query);
            boolean fails =
                    option != null && option.getAddress().getHostAddress().startsWith("198.");
            return fails ? FakeResolver.reply(query, Rcode.SERVFAIL) : SubnetResolver.tailored(query);
        });
        try (ForwardWorld world = new ForwardWorld(PUBLIC, resolver)) {
            Message failed = world.ask(SubnetResolver.query(NAME, "198.51.100.0", 24));
            long asked = resolver.asked(NAME);
            Message again = world.ask(SubnetResolver.query(NAME, "198.51.100.0", 24));

            assertThat(List.of(failed.getRcode(), again.getRcode())).containsOnly(Rcode.SERVFAIL);
            assertThat(resolver.asked(NAME)).as("kept").isEqualTo(asked);
            assertThat(said(world.ask(SubnetResolver.query(NAME, "203.0.113.0", 24))))
                    .startsWith("203.0.113.0/24");
        }
    }

    @Test
    void equalQueriesOfNetworkAreCoalesced() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        resolver.answers(query -> {
            await(goOn);
            return SubnetResolver.scoped(query);
        });
        List<byte[]> queries = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            queries.add(SubnetResolver.query(NAME, i % 2 == 0 ? "198.51.100.0" : "203.0.113.0", 24)
                    .toWire());
        }
        try (ForwardWorld world = new ForwardWorld(PUBLIC, resolver)) {
            List<Message> answers = world.askTogether(queries, () -> {
                ForwardWorld.await(() -> world.frontend().stats().sum(DnsCounter.FORWARD_MISSES) == 10);
                goOn.countDown();
            });

            for (Message answer : answers) {
                ClientSubnetOption own = SubnetResolver.told(answer);
                assertThat(said(answer)).startsWith(own.getAddress().getHostAddress());
            }
            assertThat(SubnetResolver.heard(resolver))
                    .containsExactlyInAnyOrder("198.51.100.0/24 family 1", "203.0.113.0/24 family 1");
        }
    }

    @Test
    void simultaneousNetworksPerNameAreLimited() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        resolver.answers(query -> {
            await(goOn);
            return SubnetResolver.tailored(query);
        });
        List<byte[]> queries = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            queries.add(SubnetResolver.query(NAME, "198.51." + i + ".0", 24).toWire());
        }
        try (ForwardWorld world = new ForwardWorld(PUBLIC, resolver)) {
            List<Message> answers = world.askTogether(queries, () -> {
                ForwardWorld.await(() -> world.frontend().stats().sum(DnsCounter.SUBNETS_WITHHELD) == 68);
                goOn.countDown();
            });

            assertThat(answers).hasSize(100);
            assertThat(SubnetResolver.heard(resolver)).hasSize(33).containsOnlyOnce("none");
            resolver.answers(SubnetResolver::tailored);
            assertThat(said(world.ask(SubnetResolver.query("later." + NAME, "198.51.99.0", 24))))
                    .as("later they may again")
                    .startsWith("198.51.99.0");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void cachedNetworksPerNameAreLimited() throws IOException {
        try (ForwardWorld world = new ForwardWorld(PUBLIC, resolver)) {
            for (int i = 0; i < 200; i++) {
                world.ask(SubnetResolver.query(NAME, "198.51." + i + ".0", 24));
            }
            world.ask(SubnetResolver.query(NAME, "198.51.199.0", 24));
            assertThat(SubnetResolver.heard(resolver))
                    .as("the last one is kept")
                    .hasSize(200);
            world.ask(SubnetResolver.query(NAME, "198.51.0.0", 24));
            assertThat(SubnetResolver.heard(resolver))
                    .as("the first one is not")
                    .hasSize(201);

            assertThat(world.flush(NAME, /* below= */ false, /* type= */ null)).isEqualTo(128);
            world.ask(SubnetResolver.query(NAME, "198.51.199.0", 24));
            assertThat(SubnetResolver.heard(resolver)).hasSize(202);
        }
    }

    @Test
    void aliasUsesNetworksOfTarget(@TempDir Path directory) throws IOException {
        Rewrite rewrite = new Rewrite("alias.example", List.of(), Optional.empty(), Optional.of(NAME));
        DnsFilterConfig filter = new DnsFilterConfig(
                List.of(),
                DnsFilterConfig.Answer.NXDOMAIN,
                List.of(),
                DnsFilterConfig.DEFAULT_TTL,
                DnsFilterConfig.DEFAULT_MAX_RULES,
                List.of(),
                List.of(rewrite));
        UnaryOperator<DnsForwardConfig> rewrites = config ->
                PUBLIC.apply(config).toBuilder().filter(Optional.of(filter)).build();
        SubnetResolver.tailors(resolver, told -> 16);
        try (ControlPlane control = ControlPlane.start(Clock.systemUTC());
                ForwardWorld world = new ForwardWorld(rewrites, control, directory, resolver)) {
            for (int i = 0; i < 2; i++) {
                for (String network : List.of("198.51.100.0", "203.0.113.0")) {
                    Message answer = world.ask(SubnetResolver.query("alias.example", network, 24));
                    assertThat(Messages.answers(answer).get(1)).contains(network + "/24");
                    assertThat(scope(answer)).isEqualTo(16);
                }
            }
            assertThat(SubnetResolver.heard(resolver)).hasSize(2);
        }
    }

    @Test
    void staleAnswerIsServedPerNetwork() throws IOException {
        DnsCacheConfig brief = new DnsCacheConfig(
                1 << 20,
                Duration.ZERO,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofDays(1),
                Duration.ofMillis(1),
                /* prefetch= */ false,
                /* snapshot= */ false);
        UnaryOperator<DnsForwardConfig> stale = config ->
                PUBLIC.apply(config).toBuilder().cache(Optional.of(brief)).build();
        try (ForwardWorld world = new ForwardWorld(stale, resolver)) {
            Message first = SubnetResolver.query(NAME, "198.51.100.0", 24);
            Message second = SubnetResolver.query(NAME, "203.0.113.0", 24);
            world.ask(first);
            world.ask(second);
            resolver.fails(Rcode.SERVFAIL);
            world.awaitStale(second); // expires last

            for (Message query : List.of(first, second)) {
                Message answer = world.ask(query);
                assertThat(said(answer))
                        .startsWith(SubnetResolver.told(query).getAddress().getHostAddress());
                assertThat(answer.getSection(Section.ANSWER).get(0).getTTL()).isEqualTo(30);
                assertThat(scope(answer)).isEqualTo(24);
            }
            assertThat(world.ask(SubnetResolver.query(NAME, "192.0.2.0", 24)).getRcode())
                    .as("the answer was rejected")
                    .isEqualTo(Rcode.SERVFAIL);
        }
    }

    @Test
    void reloadDiscardsAnswersOfOldSettings() throws IOException {
        try (ForwardWorld world = new ForwardWorld(PUBLIC, resolver)) {
            world.ask(SubnetResolver.query(NAME, "198.51.100.0", 24));
            world.reload(told(new DnsClientSubnetConfig(16, 48, false)));
            assertThat(said(world.ask(SubnetResolver.query(NAME, "198.51.100.0", 24))))
                    .isEqualTo("198.51.0.0/16 family 1");
            world.reload(told(new DnsClientSubnetConfig(0, 0, false)));
            assertThat(said(world.ask(SubnetResolver.query(NAME, "198.51.100.0", 24))))
                    .isEqualTo("0.0.0.0/0 family 1");
            world.reload(config -> config);
            assertThat(said(world.ask(SubnetResolver.query(NAME, "198.51.100.0", 24))))
                    .isEqualTo("none");
        }
    }
}
