package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.forward.DnsFilterConfig.Rewrite;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsPolicyConfig;
import io.ballast.dns.config.forward.DnsRebindConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.FakeResolver;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests filters, rewrites and rebinding protection for alias targets outside the zones. */
class FilteredAliasTargetTest extends OutgoingAliasFixtureTest {

    @Test
    void filterAppliesToTarget() throws IOException {
        try (ForwarderFixture fixture = fixture(filter("||cdn.example^"))) {
            Message answer = fixture.query(edns("www.own.test", 0));
            assertThat(answer.getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(records(answer)).containsExactly(WWW);
            Record soa = answer.getSection(Section.AUTHORITY).get(0);
            assertThat(soa.getType()).isEqualTo(Type.SOA);
            assertThat(soa.getName()).hasToString("edge.cdn.example.");
            assertThat(errors(answer)).containsExactly(15);
            assertThat(resolver.queries()).isEmpty();
            assertThat(count(fixture, DnsCounter.FORWARD_BLOCKED)).isEqualTo(1);
        }
        try (ForwarderFixture fixture = fixture(filter("192.0.2.0/24"))) {
            for (int i = 0; i < 2; i++) {
                Message answer = fixture.query("www.own.test", Type.A);
                assertThat(answer.getRcode()).isEqualTo(Rcode.NXDOMAIN);
                assertThat(records(answer)).containsExactly(WWW);
            }
            assertThat(resolver.queries()).hasSize(1);
        }
    }

    @Test
    void allowedNameMayHaveBlockedTarget() throws IOException {
        try (ForwarderFixture fixture = fixture(filter("||cdn.example^\n@@||www.own.test^"))) {
            assertThat(records(fixture.query("www.own.test", Type.A))).containsExactly(WWW, EDGE);
            assertThat(records(fixture.query("second.own.test", Type.A)))
                    .containsExactly("second.own.test. CNAME www.own.test.", WWW);
        }
        UnaryOperator<DnsForwardConfig> own = filter("||own.test^");
        try (ForwarderFixture fixture = fixture(own)) {
            assertThat(records(fixture.query("www.own.test", Type.A)))
                    .as("zones come before lists")
                    .containsExactly(WWW, EDGE);
        }
    }

    @Test
    void rewritesApplyToTarget() throws IOException {
        Rewrite[] rewrites = {
            new Rewrite("edge.cdn.example", List.of(IpAddress.parse("192.0.2.9")), Optional.empty()),
            new Rewrite("missing.cdn.example", List.of(), Optional.empty(), Optional.of("safe.example"))
        };
        try (ForwarderFixture fixture = fixture(filter("||unused.example^", rewrites))) {
            assertThat(records(fixture.query("www.own.test", Type.A)))
                    .containsExactly(WWW, "edge.cdn.example. A 192.0.2.9");
            assertThat(fixture.query("www.own.test", Type.AAAA).getSection(Section.AUTHORITY))
                    .hasSize(1);
            assertThat(resolver.queries()).isEmpty();
            for (int i = 0; i < 2; i++) {
                Message answer = fixture.query(edns("missing.own.test", 0));
                assertThat(records(answer))
                        .containsExactly(
                                "missing.own.test. CNAME missing.cdn.example.",
                                "missing.cdn.example. CNAME safe.example.",
                                "safe.example. A 192.0.2.1");
                assertThat(errors(answer)).containsExactly(4);
            }
            assertThat(resolver.queries()).hasSize(1);
        }
    }

    @Test
    void rebindingProtectionAppliesToTarget() throws IOException {
        resolver.answers(query -> {
            Message reply = FakeResolver.reply(query, Rcode.NOERROR);
            Name name = query.getQuestion().getName();
            reply.addRecord(new ARecord(name, DClass.IN, 300, InetAddress.getLoopbackAddress()), Section.ANSWER);
            return reply;
        });
        DnsRebindConfig rebind = new DnsRebindConfig(List.of(), DnsRebindConfig.DEFAULT_NETWORKS);
        try (ForwarderFixture fixture = fixture(config -> config.toBuilder()
                .policy(new DnsPolicyConfig(List.of(), Optional.of(rebind)))
                .build())) {
            Message answer = fixture.query("www.own.test", Type.A);
            assertThat(answer.getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(records(answer)).containsExactly(WWW);
            assertThat(count(fixture, DnsCounter.FORWARD_REBINDING)).isEqualTo(1);
        }
    }
}
