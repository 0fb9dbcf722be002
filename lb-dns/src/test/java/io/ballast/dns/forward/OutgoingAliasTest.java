package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.core.backend.BackendState;
import io.ballast.core.net.Cidr;
import io.ballast.dns.config.DnsUdpKind;
import io.ballast.dns.config.forward.DnsCacheConfig;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.ServiceType;
import io.ballast.dns.net.direct.DirectUdp;
import io.ballast.dns.querylog.AnsweredQuery;
import io.ballast.dns.querylog.Outcome;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.ZoneStats;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Routes;
import io.ballast.dns.testing.ZoneFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNSSEC;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests aliases from a zone to outside names: the resolver's answer for the last name follows them. */
class OutgoingAliasTest extends OutgoingAliasFixtureTest {

    @ParameterizedTest
    @EnumSource(
            value = DnsUdpKind.class,
            names = {"NETTY", "DIRECT"})
    void targetIsFetchedOnceAndCached(DnsUdpKind kind) throws IOException {
        assumeTrue(kind != DnsUdpKind.DIRECT || DirectUdp.unavailabilityReason().isEmpty());
        try (ForwarderFixture fixture = new ForwarderFixture(
                config -> config, others -> zone(others.udp(kind)), control, directory, resolver)) {
            for (int i = 0; i < 3; i++) {
                Message answer = fixture.query("www.own.test", Type.A);
                assertThat(records(answer)).containsExactly(WWW, EDGE);
                assertThat(answer.getSection(Section.ANSWER))
                        .extracting(Record::getTTL)
                        .satisfiesExactly(
                                own -> assertThat(own).isEqualTo(77L),
                                other -> assertThat(other).isBetween(200L, (long) FakeResolver.TTL));
                assertThat(answer.getRcode()).isEqualTo(Rcode.NOERROR);
                assertThat(Messages.isAuthoritative(answer))
                        .as("for the first name")
                        .isTrue();
                assertThat(Messages.has(answer, Flags.RA)).isTrue();
                assertThat(Messages.has(answer, Flags.AD)).isFalse();
            }
            assertThat(resolver.queries()).hasSize(1);
            assertThat(resolver.queries("edge.cdn.example")).isEqualTo(1);
            assertThat(count(fixture, DnsCounter.FORWARD_MISSES)).isEqualTo(1);
            assertThat(count(fixture, DnsCounter.FORWARD_HITS)).isEqualTo(2);
            assertThat(count(fixture, DnsCounter.FORWARD_QUERIES)).isEqualTo(3);
            assertThat(count(fixture, DnsCounter.NOERROR)).isEqualTo(3);
            assertThat(fixture.frontend().zones().stats().queriesByZone().get("own.test"))
                    .containsEntry(ZoneStats.Outcome.NOERROR, 3L);
            assertThat(records(fixture.query("edge.cdn.example", Type.A)))
                    .as("also cached for its own name")
                    .containsExactly(EDGE);
            assertThat(resolver.queries()).hasSize(1);
        }
    }

    @Test
    void answerContainsAllAliases() throws IOException {
        try (ForwarderFixture fixture = fixture()) {
            assertThat(records(fixture.query("second.own.test", Type.A)))
                    .containsExactly("second.own.test. CNAME www.own.test.", WWW, EDGE);
            assertThat(records(fixture.queryOverTcp(Messages.query("edge.d.own.test", Type.A))))
                    .containsExactly(
                            "d.own.test. DNAME cdn.example.", "edge.d.own.test. CNAME edge.cdn.example.", EDGE);
            assertThat(resolver.queries()).hasSize(1);
        }
    }

    @Test
    void serviceAliasesFollowHealth() throws IOException {
        ServiceConfig service = Routes.service(
                "app",
                ServiceType.CNAME,
                Routes.among(
                        Routing.FAILOVER,
                        Routes.records(Routes.onPool("near.cdn.example.", "web")),
                        Routes.records(Routes.always("far.cdn.example."))));
        UnaryOperator<ZoneFixture> others = fixture ->
                fixture.pool("web", ZoneFixture.backend("192.0.2.11")).zone("app.test", service);
        try (ForwarderFixture fixture = new ForwarderFixture(config -> config, others, control, directory, resolver)) {
            for (int i = 0; i < 2; i++) {
                assertThat(records(fixture.query("app.app.test", Type.A)))
                        .containsExactly("app.app.test. CNAME near.cdn.example.", "near.cdn.example. A 192.0.2.1");
            }
            fixture.zones().set("web", "192.0.2.11", BackendState.DOWN);
            ForwarderFixture.await(() -> answered(fixture, "app.app.test")
                    .equals(List.of("app.app.test. CNAME far.cdn.example.", "far.cdn.example. A 192.0.2.1")));
            assertThat(resolver.queries()).hasSize(2);
        }
    }

    private static List<String> answered(ForwarderFixture fixture, String name) {
        try {
            return records(fixture.query(name, Type.A));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void missingTargetDataHasSoaOfTarget() throws IOException {
        try (ForwarderFixture fixture = fixture()) {
            for (int i = 0; i < 2; i++) {
                Message missing = fixture.query("missing.own.test", Type.A);
                assertThat(missing.getRcode()).isEqualTo(Rcode.NXDOMAIN);
                assertThat(records(missing)).containsExactly("missing.own.test. CNAME missing.cdn.example.");
                assertThat(missing.getSection(Section.AUTHORITY).get(0).getName())
                        .hasToString("example.");
                Message noData = fixture.query("www.own.test", Type.MX);
                assertThat(noData.getRcode()).isEqualTo(Rcode.NOERROR);
                assertThat(records(noData)).containsExactly(WWW);
                assertThat(noData.getSection(Section.AUTHORITY)).hasSize(1);
            }
            assertThat(resolver.queries()).hasSize(2);
            assertThat(fixture.frontend().zones().stats().queriesByZone().get("own.test"))
                    .as("the alias in the zone exists")
                    .containsEntry(ZoneStats.Outcome.NOERROR, 4L)
                    .containsEntry(ZoneStats.Outcome.NXDOMAIN, 0L);
            assertThat(count(fixture, DnsCounter.NXDOMAIN)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Rcode.SERVFAIL, Rcode.REFUSED})
    void unresolvableTargetIsServfail(int rcode) throws IOException {
        resolver.fails(rcode);
        try (ForwarderFixture fixture = fixture()) {
            for (int i = 0; i < 2; i++) {
                Message answer = fixture.query("www.own.test", Type.A);
                assertThat(answer.getRcode()).isEqualTo(Rcode.SERVFAIL);
                assertThat(records(answer)).isEmpty();
                assertThat(Messages.isAuthoritative(answer)).isFalse();
            }
        }
    }

    @Test
    void targetTimeoutIsServfail() throws IOException {
        resolver.isSilent();
        UnaryOperator<DnsForwardConfig> hasty = config -> config.toBuilder()
                .timeout(Duration.ofMillis(50))
                .retryAfter(Duration.ofMillis(50))
                .build();
        try (ForwarderFixture fixture = fixture(hasty)) {
            Message answer = fixture.query(edns("www.own.test", 0));
            assertThat(answer.getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(errors(answer)).containsExactly(22);
            assertThat(count(fixture, DnsCounter.FORWARD_FAILED)).isEqualTo(1);
        }
    }

    @Test
    void staleTargetIsServedDuringFailure() throws IOException {
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
        try (ForwarderFixture fixture =
                fixture(config -> config.toBuilder().cache(Optional.of(brief)).build())) {
            fixture.query("www.own.test", Type.A);
            resolver.fails(Rcode.SERVFAIL);
            fixture.awaitStale(Messages.query("www.own.test", Type.A));
            Message answer = fixture.query(edns("www.own.test", 0));
            assertThat(records(answer)).containsExactly(WWW, EDGE);
            assertThat(answer.getSection(Section.ANSWER))
                    .extracting(Record::getTTL)
                    .containsExactly(77L, 30L);
            assertThat(errors(answer)).containsExactly(3);
        }
    }

    @Test
    void targetAliasIntoOwnZoneUsesResolverAnswer() throws IOException {
        resolver.answers(query -> leading(query, "host.own.test", "198.51.100.7"));
        try (ForwarderFixture fixture = fixture()) {
            assertThat(records(fixture.query("www.own.test", Type.A)))
                    .containsExactly(WWW, "edge.cdn.example. CNAME host.own.test.", "host.own.test. A 198.51.100.7");
            assertThat(records(fixture.query("host.own.test", Type.A))).containsExactly("host.own.test. A 192.0.2.77");
        }
    }

    @Test
    void loopThroughResolversEnds() throws IOException {
        resolver.answers(query -> leading(query, "www.own.test", /* address= */ null));
        try (ForwarderFixture fixture = fixture()) {
            assertThat(records(fixture.query("www.own.test", Type.A)))
                    .containsExactly(WWW, "edge.cdn.example. CNAME www.own.test.");
            assertThat(resolver.queries()).hasSize(1);
        }
    }

    /** Returns an answer with an alias for the queried name. */
    private static Message leading(Message query, String target, @Nullable String address) {
        Message reply = FakeResolver.reply(query, Rcode.NOERROR);
        Name to = Messages.name(target);
        reply.addRecord(new CNAMERecord(query.getQuestion().getName(), DClass.IN, 300, to), Section.ANSWER);
        if (address != null) {
            reply.addRecord(new ARecord(to, DClass.IN, 300, address(address)), Section.ANSWER);
        }
        return reply;
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void disabledFollowingReturnsAliasOnly() throws IOException {
        Message notDesired = Messages.query("www.own.test", Type.A);
        notDesired.getHeader().unsetFlag(Flags.RD);
        try (ForwarderFixture fixture = fixture()) {
            for (Message query : List.of(
                    notDesired,
                    Messages.query("www.own.test", Type.CNAME),
                    Messages.query("edge.d.own.test", Type.CNAME))) {
                isAlone(fixture.query(query));
            }
            Message any = fixture.query("edge.d.own.test", Type.ANY);
            assertThat(any.getSection(Section.ANSWER)).hasSize(2);
            assertThat(Messages.has(any, Flags.RA)).isFalse();
            assertThat(fixture.query("www.own.test", Type.ANY).getRcode()).isEqualTo(Rcode.NOERROR);
        }
        UnaryOperator<DnsForwardConfig> others = config ->
                config.toBuilder().clients(List.of(Cidr.parse("192.0.2.0/24"))).build();
        try (ForwarderFixture fixture = fixture(others)) {
            isAlone(fixture.query("www.own.test", Type.A));
            assertThat(count(fixture, DnsCounter.FORWARD_PROHIBITED)).isZero();
        }
        assertThat(resolver.queries()).isEmpty();
    }

    private static void isAlone(Message answer) {
        assertThat(answer.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(answer.getSection(Section.ANSWER)
                        .get(answer.getSection(Section.ANSWER).size() - 1)
                        .getType())
                .isEqualTo(Type.CNAME);
        assertThat(answer.getSection(Section.AUTHORITY)).isEmpty();
        assertThat(Messages.isAuthoritative(answer)).isTrue();
        assertThat(Messages.has(answer, Flags.RA)).isFalse();
    }

    @Test
    void dnssecAnswerHasBothSignatures() throws IOException {
        resolver.answers(query -> {
            Message reply = resolver.answer(query);
            if (query.getOPT() != null && (query.getOPT().getFlags() & ExtendedFlags.DO) != 0) {
                Record address = reply.getSection(Section.ANSWER).get(0);
                reply.addRecord(signature(address), Section.ANSWER);
            }
            return reply;
        });
        UnaryOperator<ZoneFixture> signed = others -> zone(others.signed(DnssecConfig.DEFAULT));
        try (ForwarderFixture fixture = new ForwarderFixture(config -> config, signed, control, directory, resolver)) {
            for (int i = 0; i < 2; i++) {
                List<Record> records =
                        fixture.query(edns("www.own.test", ExtendedFlags.DO)).getSection(Section.ANSWER);
                assertThat(records)
                        .extracting(Record::getType)
                        .containsExactly(Type.CNAME, Type.RRSIG, Type.A, Type.RRSIG);
                assertThat(((RRSIGRecord) records.get(1)).getSigner()).hasToString("own.test.");
                assertThat(records.get(3).getName()).hasToString("edge.cdn.example.");
                assertThat(((RRSIGRecord) records.get(3)).getSigner()).hasToString("cdn.example.");
            }
            assertThat(records(fixture.query("www.own.test", Type.A))).containsExactly(WWW, EDGE);
            assertThat(resolver.queries()).hasSize(2);
        }
    }

    private static RRSIGRecord signature(Record of) {
        return new RRSIGRecord(
                of.getName(),
                DClass.IN,
                of.getTTL(),
                of.getType(),
                DNSSEC.Algorithm.ED25519,
                of.getTTL(),
                Clock.systemUTC().instant().plusSeconds(3600),
                Clock.systemUTC().instant().minusSeconds(3600),
                /* footprint= */ 4711,
                Messages.name("cdn.example"),
                new byte[64]);
    }

    @Test
    void tooLargeTargetIsOmitted() throws IOException {
        resolver.payload(4096);
        resolver.answers(query -> {
            Message reply = FakeResolver.reply(query, Rcode.NOERROR);
            Name last = Messages.name("many.cdn.example");
            reply.addRecord(new CNAMERecord(query.getQuestion().getName(), DClass.IN, 300, last), Section.ANSWER);
            for (int i = 0; i < 40; i++) {
                reply.addRecord(new ARecord(last, DClass.IN, 300, address("192.0.2." + i)), Section.ANSWER);
            }
            return reply;
        });
        try (ForwarderFixture fixture = fixture()) {
            for (int i = 0; i < 2; i++) {
                Message cut = fixture.query("www.own.test", Type.A);
                assertThat(Messages.has(cut, Flags.TC)).isTrue();
                assertThat(records(cut)).containsExactly(WWW, "edge.cdn.example. CNAME many.cdn.example.");
                Message whole = fixture.queryOverTcp(Messages.query("www.own.test", Type.A));
                assertThat(Messages.has(whole, Flags.TC)).isFalse();
                assertThat(whole.getSection(Section.ANSWER)).hasSize(42);
            }
            assertThat(count(fixture, DnsCounter.TRUNCATED)).isEqualTo(2);
        }
    }

    @Test
    void aliasesMatchTimeOfQuery() throws Exception {
        CountDownLatch reloaded = new CountDownLatch(1);
        resolver.answers(query -> {
            try {
                reloaded.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return resolver.answer(query);
        });
        try (ForwarderFixture fixture = fixture()) {
            List<Message> answers = fixture.queryTogether(
                    List.of(Messages.query("www.own.test", Type.A).toWire()), () -> {
                        ForwarderFixture.await(() -> !resolver.queries().isEmpty());
                        fixture.zones().withoutZones();
                        zone(fixture.zones(), "www CNAME other.cdn.example.\n");
                        fixture.reload(filter("||cdn.example^"));
                        reloaded.countDown();
                    });
            assertThat(records(answers.get(0))).containsExactly(WWW, EDGE);
            Message next = fixture.query("www.own.test", Type.A);
            assertThat(next.getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(records(next)).containsExactly("www.own.test. CNAME other.cdn.example.");
        }
    }

    @Test
    void targetOutcomeIsLogged() throws IOException {
        try (ForwarderFixture fixture = fixture(filter("||missing.cdn.example^"))) {
            fixture.query("www.own.test", Type.A);
            fixture.query("www.own.test", Type.A);
            fixture.query("missing.own.test", Type.A);
            ForwarderFixture.await(() -> logged(fixture).size() == 3);
            assertThat(logged(fixture))
                    .allSatisfy(query -> assertThat(query.name()).endsWith(".own.test"));
            assertThat(logged(fixture))
                    .extracting(AnsweredQuery::outcome)
                    .containsExactlyInAnyOrder(Outcome.MISS, Outcome.HIT, Outcome.BLOCKED);
            assertThat(logged(fixture))
                    .extracting(AnsweredQuery::decider)
                    .containsExactlyInAnyOrder("127.0.0.1:" + resolver.port(), "", "mine");
        }
    }

    private static List<AnsweredQuery> logged(ForwarderFixture fixture) {
        return fixture.frontend().queryLog().newestQueries(/* limit= */ 100, query -> true);
    }
}
