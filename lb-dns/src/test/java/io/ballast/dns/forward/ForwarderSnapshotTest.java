package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.StrategyKind;
import io.ballast.core.net.Cidr;
import io.ballast.dns.config.forward.DnsCacheConfig;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsForwardConfig.Protocol;
import io.ballast.dns.config.forward.DnsForwardConfig.Route;
import io.ballast.dns.config.forward.DnsForwardConfig.Upstream;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.DClass;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

/** Tests that names outside the zones are answered by resolvers, and that the answers are cached. */
class ForwarderSnapshotTest {

    private FakeResolver resolver;

    @BeforeEach
    void start() throws IOException {
        resolver = new FakeResolver("192.0.2.1");
    }

    @AfterEach
    void stop() throws IOException {
        resolver.close();
    }

    @Test
    void answerIsFetchedOnce() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(UnaryOperator.identity(), resolver)) {
            Message first = fixture.query("www.example.org", Type.A);
            Message second = fixture.query("WWW.example.ORG", Type.A);

            assertThat(Messages.answers(first)).containsExactly("192.0.2.1");
            assertThat(Messages.answers(second)).containsExactly("192.0.2.1");
            assertThat(second.getQuestion().getName()).hasToString("WWW.example.ORG.");
            assertThat(Messages.has(second, Flags.RA)).isTrue();
            assertThat(Messages.has(second, Flags.AA)).isFalse();
            assertThat(resolver.queries("www.example.org")).isEqualTo(1);
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_HITS)).isEqualTo(1);
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_MISSES))
                    .isEqualTo(1);
            assertThat(fixture.frontend().forwarding().permits().inUse()).isZero();
        }
    }

    @Test
    void negativeAnswerIsCachedWithSoa() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(UnaryOperator.identity(), resolver)) {
            fixture.query("missing.example.org", Type.A);
            Message second = fixture.query("missing.example.org", Type.A);

            assertThat(second.getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(second.getSection(Section.AUTHORITY)).hasSize(1);
            assertThat(second.getSection(Section.AUTHORITY).get(0).getTTL()).isBetween(1L, 60L);
            assertThat(resolver.queries("missing.example.org")).isEqualTo(1);
        }
    }

    @Test
    void disabledCacheForwardsEverything() throws IOException {
        UnaryOperator<DnsForwardConfig> change = config -> with(config, config.clients(), List.of(), Optional.empty());
        try (ForwarderFixture fixture = new ForwarderFixture(change, resolver)) {
            fixture.query("www.example.org", Type.A);
            fixture.query("www.example.org", Type.A);

            assertThat(resolver.queries("www.example.org")).isEqualTo(2);
        }
    }

    @Test
    void disallowedClientIsRefused() throws IOException {
        List<Cidr> nonLocal = List.of(Cidr.parse("192.0.2.0/24"));
        UnaryOperator<DnsForwardConfig> change = config -> with(config, nonLocal, List.of(), config.cache());
        try (ForwarderFixture fixture = new ForwarderFixture(change, resolver)) {
            assertThat(fixture.query("www.example.org", Type.A).getRcode()).isEqualTo(Rcode.REFUSED);
            assertThat(resolver.queries()).isEmpty();
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_PROHIBITED))
                    .isEqualTo(1);
        }
    }

    @Test
    void routesMatchNameAndClient() throws IOException {
        try (FakeResolver corporate = new FakeResolver("192.0.2.2");
                FakeResolver guests = new FakeResolver("192.0.2.3")) {
            List<Route> routes = List.of(
                    new Route(List.of("corp.example"), List.of(), new Upstream("corp", Protocol.UDP)),
                    new Route(
                            List.of("example"),
                            List.of(Cidr.parse("192.0.2.0/24")),
                            new Upstream("corp", Protocol.UDP)),
                    new Route(List.of(), List.of(Cidr.parse("127.0.0.0/8")), new Upstream("guests", Protocol.TCP)));
            try (ForwarderFixture fixture = new ForwarderFixture(
                    config -> with(config, config.clients(), routes, config.cache()),
                    others -> others.resolvers("corp", corporate).resolvers("guests", guests),
                    resolver)) {
                assertThat(Messages.answers(fixture.query("a.corp.example", Type.A)))
                        .containsExactly("192.0.2.2");
                assertThat(Messages.answers(fixture.query("corp.example", Type.A)))
                        .containsExactly("192.0.2.2");
                assertThat(Messages.answers(fixture.query("notcorp.example", Type.A)))
                        .containsExactly("192.0.2.3");
                assertThat(Messages.answers(fixture.query("a.example", Type.A))).containsExactly("192.0.2.3");
                assertThat(resolver.queries()).isEmpty();
            }
        }
    }

    @Test
    void hashStrategyUsesOneResolverPerName() throws IOException {
        List<Route> routes = List.of(new Route(List.of("example"), List.of(), new Upstream("tied", Protocol.UDP)));
        try (FakeResolver one = new FakeResolver("192.0.2.2");
                FakeResolver other = new FakeResolver("192.0.2.3");
                ForwarderFixture fixture = new ForwarderFixture(
                        config -> with(config, config.clients(), routes, config.cache()),
                        others -> others.resolvers("tied", StrategyKind.HASH, one.port(), other.port()),
                        resolver)) {
            for (int i = 0; i < 30; i++) {
                for (int type : new int[] {Type.A, Type.AAAA, Type.TXT}) {
                    fixture.query("n" + i + ".example", type);
                }
            }

            for (int i = 0; i < 30; i++) {
                assertThat(one.queries("n" + i + ".example")).isIn(0L, 3L);
            }
            assertThat(one.queries()).hasSizeBetween(3, 87);
            assertThat(other.queries()).hasSize(90 - one.queries().size());
        }
    }

    @Test
    void truncatedAnswerIsFetchedOverTcp() throws IOException {
        resolver.answers(query -> {
            Message reply = FakeResolver.reply(query, Rcode.NOERROR);
            IntStream.range(0, 20)
                    .forEach(i -> reply.addRecord(
                            new TXTRecord(query.getQuestion().getName(), DClass.IN, 300, i + "x".repeat(200)),
                            Section.ANSWER));
            return reply;
        });
        try (ForwarderFixture fixture = new ForwarderFixture(UnaryOperator.identity(), resolver)) {
            Message byUdp = fixture.query("big.example.org", Type.TXT);
            Message byTcp = fixture.queryOverTcp(Messages.query("big.example.org", Type.TXT));

            assertThat(Messages.has(byUdp, Flags.TC)).isTrue();
            assertThat(byUdp.getSection(Section.ANSWER)).isEmpty();
            assertThat(byTcp.getSection(Section.ANSWER)).hasSize(20);
            assertThat(resolver.queries("big.example.org"))
                    .as("over UDP, then over TCP")
                    .isEqualTo(2);
        }
    }

    @Test
    void dnssecQueriesAreCachedSeparately() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(UnaryOperator.identity(), resolver)) {
            fixture.query("www.example.org", Type.A);
            Message signed = fixture.query(
                    Messages.query("www.example.org", Type.A, new OPTRecord(1232, 0, 0, ExtendedFlags.DO)));

            assertThat(signed.getOPT().getFlags() & ExtendedFlags.DO).isNotZero();
            assertThat(resolver.queries("www.example.org")).isEqualTo(2);
            assertThat(resolver.queries().get(1).getOPT().getFlags() & ExtendedFlags.DO)
                    .isNotZero();
        }
    }

    @Test
    void reloadKeepsCache() throws Exception {
        try (ForwarderFixture fixture = new ForwarderFixture(UnaryOperator.identity(), resolver)) {
            fixture.query("www.example.org", Type.A);
            fixture.reload(config -> with(
                    config,
                    config.clients(),
                    List.of(new Route(List.of("corp.example"), List.of(), config.upstream())),
                    config.cache()));
            fixture.query("www.example.org", Type.A);

            assertThat(resolver.queries("www.example.org")).isEqualTo(1);
        }
    }

    @Test
    void flushedNameIsFetchedAgain() throws IOException {
        try (ForwarderFixture fixture = new ForwarderFixture(UnaryOperator.identity(), resolver)) {
            List<String> names = List.of("a.example.org", "b.a.example.org", "c.example.com");
            for (String name : names) {
                fixture.query(name, Type.A);
            }
            assertThat(fixture.flush("A.example.org.", /* below= */ false, "AAAA"))
                    .isZero();
            assertThat(fixture.flush("A.example.org.", /* below= */ false, "A")).isEqualTo(1);
            assertThat(fixture.flush("example.org", /* below= */ true, /* type= */ null))
                    .isEqualTo(1);
            for (String name : names) {
                fixture.query(name, Type.A);
            }
            assertThat(resolver.queries("a.example.org")).isEqualTo(2);
            assertThat(resolver.queries("b.a.example.org")).isEqualTo(2);
            assertThat(resolver.queries("c.example.com")).isEqualTo(1);
            assertThat(fixture.flush(/* name= */ null, /* below= */ false, /* type= */ null))
                    .isEqualTo(3);
            for (String name : names) {
                fixture.query(name, Type.A);
            }
            assertThat(fixture.flush("example.org", /* below= */ true, "AAAA")).isZero();
            assertThat(fixture.flush("example.org", /* below= */ true, "A")).isEqualTo(2);
            assertThat(fixture.flush(/* name= */ null, /* below= */ false, "AAAA"))
                    .isZero();
            assertThat(fixture.flush(/* name= */ null, /* below= */ false, "A")).isEqualTo(1);
            assertThatThrownBy(() -> fixture.flush("a.example.org", /* below= */ false, "NONE"))
                    .hasMessageContaining("such as AAAA");
        }
    }

    @Test
    void simultaneousQueriesAreCoalesced() throws Exception {
        resolver.isSilent();
        try (ForwarderFixture fixture = new ForwarderFixture(config -> slow(config), resolver)) {
            List<byte[]> queries = IntStream.range(0, 50)
                    .mapToObj(i -> Messages.query("www.example.org", Type.A).toWire())
                    .toList();
            List<Message> answers = fixture.queryTogether(queries, () -> {
                ForwarderFixture.await(
                        () -> fixture.frontend().forwarding().permits().inUse() == 50);
                ForwarderFixture.await(() -> resolver.queries("www.example.org") == 1);
                resolver.answersAgain(); // the resolver answers the next attempt
            });

            assertThat(answers)
                    .hasSize(50)
                    .allSatisfy(answer -> assertThat(Messages.answers(answer)).containsExactly("192.0.2.1"));
            assertThat(resolver.queries("www.example.org")).isEqualTo(2);
        }
    }

    private static DnsForwardConfig slow(DnsForwardConfig config) {
        return config.toBuilder()
                .timeout(Duration.ofSeconds(20))
                .retryAfter(Duration.ofSeconds(1))
                .build();
    }

    private static DnsForwardConfig with(
            DnsForwardConfig config, List<Cidr> clients, List<Route> routes, Optional<DnsCacheConfig> cache) {
        return config.toBuilder().clients(clients).routes(routes).cache(cache).build();
    }
}
