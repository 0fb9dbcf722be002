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
    private static final UnaryOperator<DnsForwardConfig> PUBLIC = sending(DnsClientSubnetConfig.DEFAULT);
    private static final UnaryOperator<DnsForwardConfig> PRIVATE = sending(new DnsClientSubnetConfig(24, 56, true));

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

    private static UnaryOperator<DnsForwardConfig> sending(DnsClientSubnetConfig subnet) {
        return config -> config.toBuilder()
                .upstream(new Upstream(ForwarderFixture.POOL, Protocol.UDP, Upstream.DEFAULT_PATH, Optional.of(subnet)))
                .timeout(Duration.ofSeconds(30))
                .retryAfter(Duration.ofSeconds(30))
                .build();
    }

    private static String echoedSubnet(Message answer) {
        assertThat(answer.getRcode()).isEqualTo(Rcode.NOERROR);
        return Messages.answers(answer).get(0).replace("\"", "");
    }

    private static int scope(Message answer) {
        ClientSubnetOption option = SubnetResolver.subnetOf(answer);
        assertThat(option).as("of %s", answer).isNotNull();
        return option.getScopePrefixLength();
    }

    @Test
    void sendsNoSubnetByDefault() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(config -> config, resolver)) {
            Message answer = fixture.query(SubnetResolver.query(NAME, "198.51.100.0", 24));

            assertThat(echoedSubnet(answer)).isEqualTo("none");
            assertThat(scope(answer)).isZero();
            assertThat(SubnetResolver.subnets(resolver)).containsExactly("none");
        }
    }

    @Test
    void answersAreCachedPerNetwork() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(PRIVATE, resolver)) {
            Message first = fixture.queryFrom("127.0.1.1", NAME, Type.TXT);
            Message other = fixture.queryFrom("127.0.2.1", NAME, Type.TXT);
            Message neighbour = fixture.queryFrom("127.0.1.200", NAME, Type.TXT);

            assertThat(echoedSubnet(first)).isEqualTo("127.0.1.0/24 family 1");
            assertThat(echoedSubnet(other)).isEqualTo("127.0.2.0/24 family 1");
            assertThat(echoedSubnet(neighbour)).isEqualTo("127.0.1.0/24 family 1");
            assertThat(first.getOPT()).as("the query had no OPT").isNull();
            assertThat(SubnetResolver.subnets(resolver)).hasSize(2);
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_HITS)).isOne();
            assertThat(fixture.frontend().stats().sum(DnsCounter.SUBNETS_TOLD)).isEqualTo(2);
        }
    }

    @Test
    void privateNetworksAreNotSent() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(PUBLIC, resolver)) {
            assertThat(echoedSubnet(fixture.queryFrom("127.0.1.1", NAME, Type.TXT)))
                    .isEqualTo("none");
            assertThat(echoedSubnet(fixture.queryFrom("127.0.2.1", NAME, Type.TXT)))
                    .isEqualTo("none");
            Message ofResolver = fixture.query(SubnetResolver.query(NAME, "10.1.2.0", 24));

            assertThat(echoedSubnet(ofResolver)).isEqualTo("none");
            assertThat(scope(ofResolver))
                    .as("the scope covers only this network")
                    .isEqualTo(24);
            assertThat(SubnetResolver.subnets(resolver)).containsExactly("none");
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
    void trustedResolverSubnetIsForwardedWithLimitedLength(String address, int source, String expected)
            throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(PUBLIC, resolver)) {
            Message answer = fixture.query(SubnetResolver.query(NAME, address, source));

            assertThat(echoedSubnet(answer)).isEqualTo(expected);
            ClientSubnetOption echoed = SubnetResolver.subnetOf(answer);
            assertThat(echoed.getAddress()).isEqualTo(InetAddress.getByName(address));
            assertThat(echoed.getSourcePrefixLength()).isEqualTo(source);
            int prefixLength = Integer.parseInt(expected.replaceAll(".*/| .*", ""));
            assertThat(echoed.getScopePrefixLength()).isEqualTo(prefixLength);
        }
    }

    @Test
    void untrustedClientUsesSourceAddress() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(PRIVATE, resolver)) {
            fixture.trustSubnetsOf(PRIVATE, List.of(Cidr.parse("127.0.0.2")));
            Message answer = fixture.query(SubnetResolver.query(NAME, "198.51.100.0", 22));

            assertThat(echoedSubnet(answer)).isEqualTo("127.0.0.0/24 family 1");
            assertThat(scope(answer)).as("limited to the source prefix").isEqualTo(22);
        }
    }

    @Test
    void zeroPrefixOfClientIsRespected() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(PRIVATE, resolver)) {
            fixture.trustSubnetsOf(PRIVATE, List.of(Cidr.parse("127.0.0.2")));
            for (int i = 0; i < 2; i++) {
                Message answer = fixture.query(SubnetResolver.query(NAME, "0.0.0.0", 0));
                assertThat(echoedSubnet(answer)).isEqualTo("0.0.0.0/0 family 1");
                assertThat(scope(answer)).isZero();
            }
            assertThat(echoedSubnet(fixture.query(NAME, Type.TXT)))
                    .as("not shared with other clients")
                    .startsWith("127.0.0.0/24");
            assertThat(SubnetResolver.subnets(resolver)).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 16, 23})
    void shorterScopeIsShared(int scope) throws IOException {
        SubnetResolver.tailors(resolver, subnet -> scope);
        try (ForwarderFixture fixture = new ForwarderFixture(PUBLIC, resolver)) {
            Message first = fixture.query(SubnetResolver.query(NAME, "198.51.100.0", 24));
            Message inside = fixture.query(SubnetResolver.query(NAME, "198.51.101.9", 32));
            Message outside = fixture.query(SubnetResolver.query(NAME, "200.51.100.0", 24));
            Message wider = fixture.query(SubnetResolver.query(NAME, "198.0.0.0", scope - 1));

            assertThat(echoedSubnet(first)).isEqualTo("198.51.100.0/24 family 1");
            assertThat(echoedSubnet(inside)).isEqualTo(echoedSubnet(first));
            assertThat(scope(inside)).isEqualTo(scope);
            assertThat(echoedSubnet(outside)).isEqualTo("200.51.100.0/24 family 1");
            assertThat(echoedSubnet(wider))
                    .as("outside the cached scope")
                    .isEqualTo("198.0.0.0/" + (scope - 1) + " family 1");
        }
    }

    @Test
    void longerScopeIsForSentNetworkOnly() throws IOException {
        SubnetResolver.tailors(resolver, subnet -> 32);
        try (ForwarderFixture fixture = new ForwarderFixture(PUBLIC, resolver)) {
            Message first = fixture.query(SubnetResolver.query(NAME, "198.51.100.1", 32));
            Message neighbour = fixture.query(SubnetResolver.query(NAME, "198.51.100.2", 32));
            assertThat(echoedSubnet(neighbour)).isEqualTo(echoedSubnet(first));
            assertThat(scope(neighbour)).isEqualTo(32);

            fixture.query(SubnetResolver.query("other." + NAME, "198.51.0.0", 16));
            Message longer = fixture.query(SubnetResolver.query("other." + NAME, "198.51.100.0", 24));
            Message again = fixture.query(SubnetResolver.query("other." + NAME, "198.51.0.0", 16));
            assertThat(echoedSubnet(longer)).as("a longer prefix").isEqualTo("198.51.100.0/24 family 1");
            assertThat(echoedSubnet(again)).as("the same prefix").isEqualTo("198.51.0.0/16 family 1");
            assertThat(SubnetResolver.subnets(resolver)).hasSize(3);
        }
    }

    @Test
    void zeroScopeIsSharedByAll() throws IOException {
        SubnetResolver.tailors(resolver, subnet -> 0);
        try (ForwarderFixture fixture = new ForwarderFixture(PUBLIC, resolver)) {
            Message first = fixture.query(SubnetResolver.query(NAME, "198.51.100.0", 24));
            Message far = fixture.query(SubnetResolver.query(NAME, "2001:db8::", 48));
            Message nowhere = fixture.query(SubnetResolver.query(NAME, "0.0.0.0", 0));
            Message inside = fixture.query(NAME, Type.TXT);

            for (Message each : List.of(far, nowhere, inside)) {
                assertThat(echoedSubnet(each)).isEqualTo(echoedSubnet(first));
            }
            assertThat(scope(far)).isZero();
            assertThat(SubnetResolver.subnets(resolver)).hasSize(1);
        }
    }

    @Test
    void answerWithoutScopeIsSharedByAll() throws IOException {
        resolver.answers(SubnetResolver::tailored);
        try (ForwarderFixture fixture = new ForwarderFixture(PUBLIC, resolver)) {
            Message first = fixture.query(SubnetResolver.query(NAME, "198.51.100.0", 24));
            Message other = fixture.query(SubnetResolver.query(NAME, "203.0.113.0", 24));

            assertThat(echoedSubnet(other)).isEqualTo(echoedSubnet(first));
            assertThat(scope(other)).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"FORMERR, 1", "REFUSED, 2"})
    void refusedSubnetIsRetriedWithout(String code, int networksAsked) throws IOException {
        resolver.answers(query -> SubnetResolver.subnetOf(query) == null
                ? SubnetResolver.tailored(query)
                : FakeResolver.reply(query, Rcode.value(code)));
        try (ForwarderFixture fixture = new ForwarderFixture(PUBLIC, resolver)) {
            for (String network : List.of("198.51.100.0", "203.0.113.0", "198.51.100.0", "203.0.113.0")) {
                assertThat(echoedSubnet(fixture.query(SubnetResolver.query(NAME, network, 24))))
                        .isEqualTo("none");
            }
            assertThat(fixture.frontend().stats().sum(DnsCounter.SUBNETS_REFUSED))
                    .isEqualTo(networksAsked);
            assertThat(SubnetResolver.subnets(resolver)).hasSize(2 * networksAsked);
        }
    }

    @Test
    void refusalWithAndWithoutSubnetEnds() throws IOException {
        resolver.fails(Rcode.REFUSED);
        try (ForwarderFixture fixture = new ForwarderFixture(PUBLIC, resolver)) {
            assertThat(fixture.query(SubnetResolver.query(NAME, "198.51.100.0", 24))
                            .getRcode())
                    .isEqualTo(Rcode.REFUSED);
            assertThat(SubnetResolver.subnets(resolver)).containsExactly("198.51.100.0/24 family 1", "none");
        }
    }

    @Test
    void answerForOtherNetworkIsRejected() throws Exception {
        InetAddress forged = InetAddress.getByName("203.0.113.0");
        CountDownLatch answered = new CountDownLatch(1);
        resolver.answers(query -> {
            Message reply = SubnetResolver.tailored(query);
            if (query.getQuestion().getName().toString(true).equalsIgnoreCase(NAME)) {
                reply.addRecord(SubnetResolver.opt(24, 0, forged), Section.ADDITIONAL);
                answered.countDown();
            }
            return reply;
        });
        UnaryOperator<DnsForwardConfig> brief = config -> PUBLIC.apply(config).toBuilder()
                .timeout(Duration.ofMillis(300))
                .retryAfter(Duration.ofMillis(300))
                .build();
        try (ForwarderFixture fixture = new ForwarderFixture(brief, resolver)) {
            Message answer = fixture.query(SubnetResolver.query(NAME, "198.51.100.0", 24));

            assertThat(answer.getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(answered.await(10, TimeUnit.SECONDS)).isTrue();
            // The resolver answers this query with EDNS. So the next query is not sent without EDNS, although the first
            // one took long.
            Message accepted = fixture.query(SubnetResolver.query("other.example.org", "0.0.0.0", 0));
            assertThat(accepted.getRcode()).isEqualTo(Rcode.NOERROR);
            Message victim = fixture.query(SubnetResolver.query(NAME, "203.0.113.0", 24));
            assertThat(echoedSubnet(victim)).as("a query for its own network").isEqualTo("203.0.113.0/24 family 1");
        }
    }

    @Test
    void failureIsCachedPerNetwork() throws IOException {
        resolver.answers(query -> {
            ClientSubnetOption option = SubnetResolver.subnetOf(query);
            boolean fails =
                    option != null && option.getAddress().getHostAddress().startsWith("198.");
            return fails ? FakeResolver.reply(query, Rcode.SERVFAIL) : SubnetResolver.tailored(query);
        });
        try (ForwarderFixture fixture = new ForwarderFixture(PUBLIC, resolver)) {
            Message failed = fixture.query(SubnetResolver.query(NAME, "198.51.100.0", 24));
            long queryCount = resolver.queries(NAME);
            Message again = fixture.query(SubnetResolver.query(NAME, "198.51.100.0", 24));

            assertThat(List.of(failed.getRcode(), again.getRcode())).containsOnly(Rcode.SERVFAIL);
            assertThat(resolver.queries(NAME)).as("kept").isEqualTo(queryCount);
            assertThat(echoedSubnet(fixture.query(SubnetResolver.query(NAME, "203.0.113.0", 24))))
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
        try (ForwarderFixture fixture = new ForwarderFixture(PUBLIC, resolver)) {
            List<Message> answers = fixture.queryTogether(queries, () -> {
                ForwarderFixture.await(() -> fixture.frontend().stats().sum(DnsCounter.FORWARD_MISSES) == 10);
                goOn.countDown();
            });

            for (Message answer : answers) {
                ClientSubnetOption own = SubnetResolver.subnetOf(answer);
                assertThat(echoedSubnet(answer)).startsWith(own.getAddress().getHostAddress());
            }
            assertThat(SubnetResolver.subnets(resolver))
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
        try (ForwarderFixture fixture = new ForwarderFixture(PUBLIC, resolver)) {
            List<Message> answers = fixture.queryTogether(queries, () -> {
                ForwarderFixture.await(() -> fixture.frontend().stats().sum(DnsCounter.SUBNETS_WITHHELD) == 68);
                goOn.countDown();
            });

            assertThat(answers).hasSize(100);
            assertThat(SubnetResolver.subnets(resolver)).hasSize(33).containsOnlyOnce("none");
            resolver.answers(SubnetResolver::tailored);
            assertThat(echoedSubnet(fixture.query(SubnetResolver.query("later." + NAME, "198.51.99.0", 24))))
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
        try (ForwarderFixture fixture = new ForwarderFixture(PUBLIC, resolver)) {
            for (int i = 0; i < 200; i++) {
                fixture.query(SubnetResolver.query(NAME, "198.51." + i + ".0", 24));
            }
            fixture.query(SubnetResolver.query(NAME, "198.51.199.0", 24));
            assertThat(SubnetResolver.subnets(resolver))
                    .as("the last one is kept")
                    .hasSize(200);
            fixture.query(SubnetResolver.query(NAME, "198.51.0.0", 24));
            assertThat(SubnetResolver.subnets(resolver))
                    .as("the first one is not")
                    .hasSize(201);

            assertThat(fixture.flush(NAME, /* below= */ false, /* type= */ null))
                    .isEqualTo(128);
            fixture.query(SubnetResolver.query(NAME, "198.51.199.0", 24));
            assertThat(SubnetResolver.subnets(resolver)).hasSize(202);
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
        SubnetResolver.tailors(resolver, subnet -> 16);
        try (ControlPlane control = ControlPlane.start(Clock.systemUTC());
                ForwarderFixture fixture = new ForwarderFixture(rewrites, control, directory, resolver)) {
            for (int i = 0; i < 2; i++) {
                for (String network : List.of("198.51.100.0", "203.0.113.0")) {
                    Message answer = fixture.query(SubnetResolver.query("alias.example", network, 24));
                    assertThat(Messages.answers(answer).get(1)).contains(network + "/24");
                    assertThat(scope(answer)).isEqualTo(16);
                }
            }
            assertThat(SubnetResolver.subnets(resolver)).hasSize(2);
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
        try (ForwarderFixture fixture = new ForwarderFixture(stale, resolver)) {
            Message first = SubnetResolver.query(NAME, "198.51.100.0", 24);
            Message second = SubnetResolver.query(NAME, "203.0.113.0", 24);
            fixture.query(first);
            fixture.query(second);
            resolver.fails(Rcode.SERVFAIL);
            fixture.awaitStale(second); // the answer to the second query expires last

            for (Message query : List.of(first, second)) {
                Message answer = fixture.query(query);
                assertThat(echoedSubnet(answer))
                        .startsWith(SubnetResolver.subnetOf(query).getAddress().getHostAddress());
                assertThat(answer.getSection(Section.ANSWER).get(0).getTTL()).isEqualTo(30);
                assertThat(scope(answer)).isEqualTo(24);
            }
            assertThat(fixture.query(SubnetResolver.query(NAME, "192.0.2.0", 24))
                            .getRcode())
                    .as("the answer was rejected")
                    .isEqualTo(Rcode.SERVFAIL);
        }
    }

    @Test
    void reloadDiscardsAnswersOfOldSettings() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(PUBLIC, resolver)) {
            fixture.query(SubnetResolver.query(NAME, "198.51.100.0", 24));
            fixture.reload(sending(new DnsClientSubnetConfig(16, 48, false)));
            assertThat(echoedSubnet(fixture.query(SubnetResolver.query(NAME, "198.51.100.0", 24))))
                    .isEqualTo("198.51.0.0/16 family 1");
            fixture.reload(sending(new DnsClientSubnetConfig(0, 0, false)));
            assertThat(echoedSubnet(fixture.query(SubnetResolver.query(NAME, "198.51.100.0", 24))))
                    .isEqualTo("0.0.0.0/0 family 1");
            fixture.reload(config -> config);
            assertThat(echoedSubnet(fixture.query(SubnetResolver.query(NAME, "198.51.100.0", 24))))
                    .isEqualTo("none");
        }
    }
}
