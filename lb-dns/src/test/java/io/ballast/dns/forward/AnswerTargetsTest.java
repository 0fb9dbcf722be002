package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import io.ballast.dns.config.forward.DnsFilterConfig.Kind;
import io.ballast.dns.config.forward.DnsFilterConfig.RuleList;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * Tests that filter lists apply to targets and address hints of HTTPS and SVCB records, just as they apply to aliases
 * and address records.
 */
class AnswerTargetsTest extends FilteredForwarderTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "www.example. 300 IN HTTPS 1 cdn.ads.example. alpn=h2",
                "www.example. 300 IN HTTPS 0 ads.example.",
                "www.example. 300 IN SVCB 1 ads.example.",
                "www.example. 300 IN MX 10 mx.ads.example.",
                "www.example. 300 IN SRV 0 0 443 ads.example.",
                "www.example. 300 IN NS ns.ads.example.",
                "www.example. 300 IN NAPTR 10 10 \"s\" \"x\" \"\" ads.example.",
                "www.example. 300 IN KX 10 ads.example.",
                "www.example. 300 IN CNAME ads.example.",
                "www.example. 300 IN DNAME ads.example.",
                "www.example. 300 IN HTTPS 1 . ipv4hint=198.51.100.7",
                "www.example. 300 IN SVCB 1 . ipv6hint=2001:db8:bad::7",
                "www.example. 300 IN HTTPS 1 . ipv6hint=64:ff9b::c633:6407",
                "www.example. 300 IN AAAA 64:ff9b::c633:6407",
                "www.example. 300 IN AAAA 2002:c633:6407::1",
                "www.example. 300 IN AAAA 2001:0:4136:e378:8000:63bf:39cc:9bf8",
                "www.example. 300 IN AAAA ::ffff:198.51.100.7"
            })
    void blockedTargetIsBlockedInAnyAnswers(String line) throws IOException {
        try (ForwarderFixture fixture = fixture("||ads.example^", "198.51.100.0/24", "2001:db8:bad::/48")) {
            resolver.answers(query -> answer(query, line));
            for (int type : new int[] {Messages.record(line).getType(), Type.ANY}) {
                for (int i = 0; i < 2; i++) {
                    Message answer = fixture.query("www.example", type);
                    assertThat(answer.getRcode()).isEqualTo(Rcode.NXDOMAIN);
                    assertThat(answer.getSection(Section.ANSWER)).isEmpty();
                }
            }
            assertThat(resolver.queries("www.example")).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "www.example. 300 IN HTTPS 1 . alpn=h2 ipv4hint=192.0.2.1",
                "www.example. 300 IN HTTPS 1 www.example.",
                "www.example. 300 IN MX 0 .",
                "www.example. 300 IN PTR tracker.ads.example.",
                "www.example. 300 IN TXT \"ads.example\"",
                "www.example. 300 IN AAAA 2001:db8::198.51.100.7"
            })
    void otherRecordsAreForwarded(String line) throws IOException {
        try (ForwarderFixture fixture = fixture("||ads.example^", "198.51.100.0/24")) {
            resolver.answers(query -> answer(query, line));
            assertThat(fixture.query("www.example", Messages.record(line).getType())
                            .getSection(Section.ANSWER))
                    .hasSize(1);
        }
    }

    @Test
    void allowedTargetMayHaveAnyAddress() throws IOException {
        try (ForwarderFixture fixture = fixture("198.51.100.0/24", "||ads.example^", "@@||good.ads.example^")) {
            resolver.answers(
                    query -> answer(query, "www.example. 300 IN HTTPS 1 good.ads.example. ipv4hint=198.51.100.7"));
            assertThat(fixture.query("www.example", Type.HTTPS).getSection(Section.ANSWER))
                    .hasSize(1);
            resolver.answers(query -> answer(
                    query,
                    "mixed.example. 300 IN HTTPS 1 good.ads.example.",
                    "mixed.example. 300 IN HTTPS 2 bad.ads.example."));
            assertThat(fixture.query("mixed.example", Type.HTTPS).getRcode())
                    .as("another record of the set leads to a blocked name")
                    .isEqualTo(Rcode.NXDOMAIN);
        }
    }

    @Test
    void dnameTargetIsNotFiltered() throws IOException {
        try (ForwarderFixture fixture = fixture("|ads.test^")) {
            resolver.answers(query -> answer(
                    query,
                    "example. 300 IN DNAME ads.test.",
                    "www.example. 300 IN CNAME www.ads.test.",
                    "www.ads.test. 300 IN A 192.0.2.9"));
            assertThat(Messages.answers(fixture.query("www.example", Type.A))).contains("192.0.2.9");
        }
    }

    @Test
    void authorityServersAreNotFiltered() throws IOException {
        try (ForwarderFixture fixture = fixture("||ads.example^")) {
            resolver.answers(query -> {
                Message reply = answer(query, "www.example. 300 IN A 192.0.2.9");
                reply.addRecord(Messages.record("example. 300 IN NS ns.ads.example."), Section.AUTHORITY);
                return reply;
            });
            assertThat(Messages.answers(fixture.query("www.example", Type.A))).containsExactly("192.0.2.9");
        }
    }

    private static Message answer(Message query, String... lines) {
        Message reply = FakeResolver.reply(query, Rcode.NOERROR);
        for (String line : lines) {
            Record record = Messages.record(line);
            reply.addRecord(record, Section.ANSWER);
        }
        return reply;
    }

    private ForwarderFixture fixture(String... rules) throws IOException {
        RuleList list = new RuleList(
                "mine",
                Kind.BLOCK,
                /* enabled= */ true,
                Optional.empty(),
                Optional.empty(),
                List.of(rules),
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
        return new ForwarderFixture(
                config -> config.toBuilder().filter(Optional.of(filter)).build(), control, directory, resolver);
    }
}
