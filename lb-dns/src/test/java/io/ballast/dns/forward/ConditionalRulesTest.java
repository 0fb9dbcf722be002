package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.net.Cidr;
import io.ballast.dns.config.forward.DnsClientGroup;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import io.ballast.dns.config.forward.DnsFilterConfig.Kind;
import io.ballast.dns.config.forward.DnsFilterConfig.RuleList;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsPolicyConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests rules for some clients and query types, and rules that answer with another name. */
class ConditionalRulesTest extends FilteredForwarderTest {

    private static final String OTHER = "127.0.0.1";
    private static final String CHILD = "127.0.7.9";

    @Test
    void ruleAppliesToNamedClients() throws IOException {
        try (ForwarderFixture fixture = fixture(
                "||games.example^$client=children",
                "||ads.example^$client=~127.0.7.9",
                "||x.example^$client=127.0.7.9/32")) {
            assertThat(code(fixture, CHILD, "www.games.example", Type.A)).isEqualTo(Rcode.NXDOMAIN);
            assertThat(code(fixture, OTHER, "www.games.example", Type.A)).isEqualTo(Rcode.NOERROR);
            assertThat(code(fixture, CHILD, "ads.example", Type.A)).isEqualTo(Rcode.NOERROR);
            assertThat(code(fixture, OTHER, "ads.example", Type.A)).isEqualTo(Rcode.NXDOMAIN);
            assertThat(code(fixture, CHILD, "x.example", Type.A)).isEqualTo(Rcode.NXDOMAIN);
            assertThat(code(fixture, OTHER, "x.example", Type.A)).isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void ruleAppliesToClientsWithoutGroup() throws IOException {
        try (ForwarderFixture fixture = fixture("||games.example^$client=default")) {
            assertThat(code(fixture, CHILD, "games.example", Type.A)).isEqualTo(Rcode.NOERROR);
            assertThat(code(fixture, OTHER, "games.example", Type.A)).isEqualTo(Rcode.NXDOMAIN);
        }
    }

    @Test
    void allowRuleAppliesToNamedClients() throws IOException {
        try (ForwarderFixture fixture = fixture("||games.example^", "@@||games.example^$client=children")) {
            assertThat(code(fixture, CHILD, "games.example", Type.A)).isEqualTo(Rcode.NOERROR);
            assertThat(code(fixture, OTHER, "games.example", Type.A)).isEqualTo(Rcode.NXDOMAIN);
        }
    }

    @Test
    void ruleAppliesToNamedTypes() throws IOException {
        try (ForwarderFixture fixture =
                fixture("*$dnstype=HTTPS", "||a.example^$dnstype=~A", "||b.example^$dnstype=AAAA,dnsrewrite=NOERROR")) {
            assertThat(code(fixture, OTHER, "any.example", Type.HTTPS)).isEqualTo(Rcode.NXDOMAIN);
            assertThat(code(fixture, OTHER, "any.example", Type.A)).isEqualTo(Rcode.NOERROR);
            assertThat(code(fixture, OTHER, "a.example", Type.A)).isEqualTo(Rcode.NOERROR);
            assertThat(code(fixture, OTHER, "a.example", Type.TXT)).isEqualTo(Rcode.NXDOMAIN);
            assertThat(Messages.answers(fixture.queryFrom(OTHER, "b.example", Type.A)))
                    .containsExactly("192.0.2.1");
            Message noRecords = fixture.queryFrom(OTHER, "b.example", Type.AAAA);
            assertThat(noRecords.getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(noRecords.getSection(Section.ANSWER)).isEmpty();
        }
    }

    @Test
    void rewritesDifferByGroup() throws IOException {
        try (ForwarderFixture fixture = fixture(
                "||search.example^$client=children,dnsrewrite=safe.search.example",
                "|nas.example^$client=children,dnsrewrite=192.0.2.8",
                "|nas.example^$client=default,dnsrewrite=192.0.2.9",
                "|nas.example^$client=default,dnsrewrite=192.0.2.10")) {
            List<Record> child =
                    fixture.queryFrom(CHILD, "www.search.example", Type.A).getSection(Section.ANSWER);
            assertThat(child).hasSize(2);
            assertThat(((CNAMERecord) child.get(0)).getTarget()).hasToString("safe.search.example.");
            assertThat(child.get(0).getTTL()).isEqualTo(DnsFilterConfig.DEFAULT_TTL.toSeconds());
            assertThat(child.get(1).rdataToString()).isEqualTo("192.0.2.1");
            assertThat(Messages.answers(fixture.queryFrom(OTHER, "www.search.example", Type.A)))
                    .containsExactly("192.0.2.1");
            assertThat(Messages.answers(fixture.queryFrom(CHILD, "nas.example", Type.A)))
                    .containsExactly("192.0.2.8");
            assertThat(Messages.answers(fixture.queryFrom(OTHER, "nas.example", Type.A)))
                    .containsExactlyInAnyOrder("192.0.2.9", "192.0.2.10");
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_REWRITTEN))
                    .isEqualTo(1);
        }
    }

    @Test
    void rewriteAliasIsFollowedOnceAndFiltered() throws IOException {
        try (ForwarderFixture fixture = fixture(
                "||example^$dnsrewrite=www.example",
                "||loop.net^$dnsrewrite=www.loop.net",
                "||lost.net^$dnsrewrite=gone.net",
                "||gone.net^")) {
            assertThat(fixture.query("www.example", Type.A).getSection(Section.ANSWER))
                    .as("a name is not an alias of itself")
                    .hasSize(1);
            assertThat(fixture.query("loop.net", Type.A).getSection(Section.ANSWER))
                    .hasSize(2);
            assertThat(fixture.query("loop.net", Type.CNAME).getSection(Section.ANSWER))
                    .hasSize(1);
            assertThat(fixture.query("lost.net", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
        }
    }

    @Test
    void ruleAnswersRefused() throws IOException {
        try (ForwarderFixture fixture = fixture("||a.example^$dnsrewrite=REFUSED")) {
            assertThat(fixture.query("a.example", Type.A).getRcode()).isEqualTo(Rcode.REFUSED);
        }
    }

    @Test
    void answerNamesAreFilteredByTypeOnly() throws IOException {
        resolver.answers(ConditionalRulesTest::alias);
        try (ForwarderFixture fixture = fixture("||games.example^$client=children", "||games.example^$dnstype=AAAA")) {
            assertThat(code(fixture, CHILD, "shop.example", Type.A)).isEqualTo(Rcode.NOERROR);
            assertThat(code(fixture, OTHER, "shop.example", Type.AAAA)).isEqualTo(Rcode.NXDOMAIN);
        }
    }

    private static int code(ForwarderFixture fixture, String client, String name, int type) throws IOException {
        return fixture.queryFrom(client, name, type).getRcode();
    }

    /** Answers every query with an alias to cdn.games.example. */
    private static Message alias(Message query) {
        Message reply = FakeResolver.reply(query, Rcode.NOERROR);
        reply.addRecord(
                new CNAMERecord(query.getQuestion().getName(), DClass.IN, 300, Messages.name("cdn.games.example")),
                Section.ANSWER);
        reply.addRecord(
                new ARecord(Messages.name("cdn.games.example"), DClass.IN, 300, InetAddress.getLoopbackAddress()),
                Section.ANSWER);
        return reply;
    }

    private ForwarderFixture fixture(String... rules) throws IOException {
        return new ForwarderFixture(config -> with(config, List.of(rules)), control, directory, resolver);
    }

    private static DnsForwardConfig with(DnsForwardConfig config, List<String> rules) {
        RuleList list = new RuleList(
                "own",
                Kind.BLOCK,
                /* enabled= */ true,
                Optional.empty(),
                Optional.empty(),
                rules,
                RuleList.DEFAULT_REFRESH,
                RuleList.DEFAULT_MAX_SIZE_BYTES);
        DnsFilterConfig filter = new DnsFilterConfig(
                List.of(list),
                Answer.NXDOMAIN,
                List.of(),
                DnsFilterConfig.DEFAULT_TTL,
                DnsFilterConfig.DEFAULT_MAX_RULES,
                List.of(),
                List.of());
        DnsClientGroup.Filter all =
                new DnsClientGroup.Filter(Optional.empty(), Optional.empty(), List.of(), Optional.empty(), List.of());
        DnsClientGroup children = new DnsClientGroup("children", List.of(Cidr.parse("127.0.7.0/24")), Optional.of(all));
        return config.toBuilder()
                .filter(Optional.of(filter))
                .policy(new DnsPolicyConfig(List.of(children), Optional.empty()))
                .build();
    }
}
