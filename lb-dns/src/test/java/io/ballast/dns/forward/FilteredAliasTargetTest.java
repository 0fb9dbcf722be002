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
class FilteredAliasTargetTest extends OutgoingAliasWorldTest {

    @Test
    void filterAppliesToTarget() throws IOException {
        try (ForwardWorld world = world(filter("||cdn.example^"))) {
            Message answer = world.ask(edns("www.own.test", 0));
            assertThat(answer.getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(records(answer)).containsExactly(WWW);
            Record soa = answer.getSection(Section.AUTHORITY).get(0);
            assertThat(soa.getType()).isEqualTo(Type.SOA);
            assertThat(soa.getName()).hasToString("edge.cdn.example.");
            assertThat(errors(answer)).containsExactly(15);
            assertThat(resolver.asked()).isEmpty();
            assertThat(count(world, DnsCounter.FORWARD_BLOCKED)).isEqualTo(1);
        }
        try (ForwardWorld world = world(filter("192.0.2.0/24"))) {
            for (int i = 0; i < 2; i++) {
                Message answer = world.ask("www.own.test", Type.A);
                assertThat(answer.getRcode()).isEqualTo(Rcode.NXDOMAIN);
                assertThat(records(answer)).containsExactly(WWW);
            }
            assertThat(resolver.asked()).hasSize(1);
        }
    }

    @Test
    void allowedNameMayHaveBlockedTarget() throws IOException {
        try (ForwardWorld world = world(filter("||cdn.example^\n@@||www.own.test^"))) {
            assertThat(records(world.ask("www.own.test", Type.A))).containsExactly(WWW, EDGE);
            assertThat(records(world.ask("second.own.test", Type.A)))
                    .containsExactly("second.own.test. CNAME www.own.test.", WWW);
        }
        UnaryOperator<DnsForwardConfig> own = filter("||own.test^");
        try (ForwardWorld world = world(own)) {
            assertThat(records(world.ask("www.own.test", Type.A)))
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
        try (ForwardWorld world = world(filter("||unused.example^", rewrites))) {
            assertThat(records(world.ask("www.own.test", Type.A)))
                    .containsExactly(WWW, "edge.cdn.example. A 192.0.2.9");
            assertThat(world.ask("www.own.test", Type.AAAA).getSection(Section.AUTHORITY))
                    .hasSize(1);
            assertThat(resolver.asked()).isEmpty();
            for (int i = 0; i < 2; i++) {
                Message answer = world.ask(edns("missing.own.test", 0));
                assertThat(records(answer))
                        .containsExactly(
                                "missing.own.test. CNAME missing.cdn.example.",
                                "missing.cdn.example. CNAME safe.example.",
                                "safe.example. A 192.0.2.1");
                assertThat(errors(answer)).containsExactly(4);
            }
            assertThat(resolver.asked()).hasSize(1);
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
        try (ForwardWorld world = world(config -> config.toBuilder()
                .policy(new DnsPolicyConfig(List.of(), Optional.of(rebind)))
                .build())) {
            Message answer = world.ask("www.own.test", Type.A);
            assertThat(answer.getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(records(answer)).containsExactly(WWW);
            assertThat(count(world, DnsCounter.FORWARD_REBINDING)).isEqualTo(1);
        }
    }
}
