package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.forward.DnsCacheConfig;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import io.ballast.dns.config.forward.DnsFilterConfig.Kind;
import io.ballast.dns.config.forward.DnsFilterConfig.Rewrite;
import io.ballast.dns.config.forward.DnsFilterConfig.RuleList;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsPolicyConfig;
import io.ballast.dns.config.forward.DnsRebindConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests rewrite rules that answer a name with the records of another name. */
class AliasRewriteTest extends FilteredForwarderTest {

    private static final String QUERIED = "a.much.longer.name.than.the.other.example";
    private static final Name TARGET = Messages.name("www.safe.example");

    @Test
    void rewrittenNameIsAliasAndCached() throws IOException {
        try (ForwarderFixture fixture = fixture(alias("*.other.example", "www.safe.example"))) {
            for (int i = 0; i < 3; i++) {
                List<Record> records = fixture.query(QUERIED, Type.A).getSection(Section.ANSWER);
                assertThat(records).hasSize(2);
                assertThat(records.get(0).getName()).hasToString(QUERIED + ".");
                assertThat(((CNAMERecord) records.get(0)).getTarget()).isEqualTo(TARGET);
                assertThat(records.get(0).getTTL()).isLessThanOrEqualTo(10);
                assertThat(records.get(1).getName()).isEqualTo(TARGET);
                assertThat(records.get(1).rdataToString()).isEqualTo("192.0.2.1");
            }
            assertThat(resolver.queries()).hasSize(1);
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_REWRITTEN))
                    .isEqualTo(3);
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_MISSES))
                    .isEqualTo(1);
            assertThat(fixture.query("www.safe.example", Type.A).getSection(Section.ANSWER))
                    .as("also cached for its own name")
                    .hasSize(1);
            assertThat(resolver.queries()).hasSize(1);

            Message alias = fixture.query(QUERIED, Type.CNAME);
            assertThat(alias.getSection(Section.ANSWER)).hasSize(1);
            assertThat(resolver.queries()).hasSize(1);
        }
    }

    @Test
    void recordsKeepNamesOfTarget() throws IOException {
        resolver.answers(query -> {
            Message reply = FakeResolver.reply(query, Rcode.NOERROR);
            Name canonical = Messages.name("host.safe.example");
            reply.addRecord(new CNAMERecord(query.getQuestion().getName(), DClass.IN, 300, canonical), Section.ANSWER);
            for (int i = 0; i < 40; i++) {
                reply.addRecord(
                        new MXRecord(canonical, DClass.IN, 300, i, Messages.name("mail" + i + ".safe.example")),
                        Section.ANSWER);
            }
            return reply;
        });
        try (ForwarderFixture fixture = fixture(alias("*.other.example", "www.safe.example"))) {
            for (int i = 0; i < 2; i++) {
                List<Record> records =
                        fixture.queryOverTcp(Messages.query(QUERIED, Type.MX)).getSection(Section.ANSWER);
                assertThat(records).hasSize(42);
                assertThat(((CNAMERecord) records.get(1)).getTarget()).hasToString("host.safe.example.");
                assertThat(((MXRecord) records.get(41)).getTarget()).hasToString("mail39.safe.example.");
            }
        }
    }

    @Test
    void missingTargetTypeIsNodata() throws IOException {
        resolver.answers(query -> {
            Message reply = FakeResolver.reply(query, Rcode.NXDOMAIN);
            Name zone = Messages.name("safe.example");
            reply.addRecord(new SOARecord(zone, DClass.IN, 60, zone, zone, 1, 2, 3, 4, 60), Section.AUTHORITY);
            return reply;
        });
        try (ForwarderFixture fixture = fixture(alias("*.other.example", "www.safe.example"))) {
            for (int i = 0; i < 2; i++) {
                Message answer = fixture.query(QUERIED, Type.A);
                assertThat(answer.getRcode()).isEqualTo(Rcode.NXDOMAIN);
                assertThat(answer.getSection(Section.ANSWER)).hasSize(1);
                assertThat(answer.getSection(Section.AUTHORITY).get(0).getName())
                        .hasToString("safe.example.");
            }
            assertThat(resolver.queries()).hasSize(1);
        }
    }

    @Test
    void failureOfTargetIsForwarded() throws IOException {
        resolver.fails(Rcode.SERVFAIL);
        try (ForwarderFixture fixture = fixture(alias("*.other.example", "www.safe.example"))) {
            assertThat(fixture.query(QUERIED, Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
        }
    }

    @Test
    void filterAppliesToTarget() throws IOException {
        resolver.answers(query -> {
            Message reply = FakeResolver.reply(query, Rcode.NOERROR);
            Name ads = Messages.name("x.ads.example");
            reply.addRecord(new CNAMERecord(query.getQuestion().getName(), DClass.IN, 300, ads), Section.ANSWER);
            reply.addRecord(new ARecord(ads, DClass.IN, 300, InetAddress.getLoopbackAddress()), Section.ANSWER);
            return reply;
        });
        try (ForwarderFixture fixture = fixture(alias("*.other.example", "www.safe.example"))) {
            assertThat(fixture.query(QUERIED, Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(fixture.query(QUERIED, Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(resolver.queries()).hasSize(1);
        }
    }

    @Test
    void rebindingProtectionUsesTargetName() throws IOException {
        resolver.answers(query -> {
            Message reply = FakeResolver.reply(query, Rcode.NOERROR);
            Name name = query.getQuestion().getName();
            reply.addRecord(new ARecord(name, DClass.IN, 300, InetAddress.getLoopbackAddress()), Section.ANSWER);
            return reply;
        });
        DnsRebindConfig rebind = new DnsRebindConfig(List.of("safe.example"), DnsRebindConfig.DEFAULT_NETWORKS);
        DnsPolicyConfig policy = new DnsPolicyConfig(List.of(), Optional.of(rebind));
        Rewrite[] rewrites = {alias("*.other.example", "www.safe.example"), alias("x.example", "y.example")};
        try (ForwarderFixture fixture = fixture(DnsCacheConfig.DEFAULT, policy, rewrites)) {
            assertThat(fixture.query(QUERIED, Type.A).getSection(Section.ANSWER))
                    .hasSize(2);
            assertThat(fixture.query("x.example", Type.A).getSection(Section.ANSWER))
                    .isEmpty();
        }
    }

    @Test
    void aliasToRewrittenNameIsRewrittenAndLoopsAreRefused() throws IOException {
        Rewrite address = new Rewrite("b.example", List.of(IpAddress.parse("192.0.2.9")), Optional.empty());
        try (ForwarderFixture fixture = fixture(alias("a.example", "b.example"), address)) {
            assertThat(Messages.answers(fixture.query("a.example", Type.A))).containsExactly("192.0.2.9");
            assertThat(resolver.queries()).isEmpty();
        }
        assertThatThrownBy(() -> fixture(alias("a.example", "x.b.example"), alias("*.b.example", "a.example")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("dns.forward.filter: rewrite: a.example")
                .hasMessageContaining("without a loop");
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
        try (ForwarderFixture fixture = fixture(brief, alias("*.other.example", "www.safe.example"))) {
            fixture.query(QUERIED, Type.A);
            resolver.fails(Rcode.SERVFAIL);
            fixture.awaitStale(Messages.query(QUERIED, Type.A));
            List<Record> records = fixture.query(QUERIED, Type.A).getSection(Section.ANSWER);
            assertThat(records).hasSize(2);
            assertThat(records.get(1).getTTL()).isEqualTo(30);
        }
    }

    private static Rewrite alias(String name, String target) {
        return new Rewrite(name, List.of(), Optional.empty(), Optional.of(target));
    }

    private ForwarderFixture fixture(Rewrite... rewrites) throws IOException {
        return fixture(DnsCacheConfig.DEFAULT, rewrites);
    }

    private ForwarderFixture fixture(DnsCacheConfig cache, Rewrite... rewrites) throws IOException {
        return fixture(cache, DnsPolicyConfig.NONE, rewrites);
    }

    private ForwarderFixture fixture(DnsCacheConfig cache, DnsPolicyConfig policy, Rewrite... rewrites)
            throws IOException {
        RuleList list = new RuleList(
                "mine",
                Kind.BLOCK,
                /* enabled= */ true,
                Optional.empty(),
                Optional.empty(),
                List.of("||ads.example^"),
                RuleList.DEFAULT_REFRESH,
                RuleList.DEFAULT_MAX_SIZE_BYTES);
        DnsFilterConfig filter = new DnsFilterConfig(
                List.of(list),
                Answer.NXDOMAIN,
                List.of(),
                DnsFilterConfig.DEFAULT_TTL,
                DnsFilterConfig.DEFAULT_MAX_RULES,
                List.of(),
                List.of(rewrites));
        return new ForwarderFixture(config -> with(config, cache, filter, policy), control, directory, resolver);
    }

    private static DnsForwardConfig with(
            DnsForwardConfig config, DnsCacheConfig cache, DnsFilterConfig filter, DnsPolicyConfig policy) {
        return config.toBuilder()
                .cache(Optional.of(cache))
                .filter(Optional.of(filter))
                .policy(policy)
                .build();
    }
}
