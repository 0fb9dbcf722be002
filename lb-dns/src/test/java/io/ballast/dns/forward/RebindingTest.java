package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.DnsForwardConfig;
import io.ballast.core.config.DnsPolicyConfig;
import io.ballast.core.config.DnsRebindConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Names of the internet lead to no address of inside. */
class RebindingTest {

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0", "10.1.2.3", "172.31.0.1", "192.168.1.1", "169.254.169.254"})
    void anAddressOfInsideIsNotGivenWhetherKeptOrNot(String address) throws Exception {
        try (FakeResolver resolver = new FakeResolver(address);
                ForwardWorld world = new ForwardWorld(RebindingTest::guarded, resolver)) {
            for (int i = 0; i < 2; i++) {
                Message answer = world.ask(Messages.query("evil.example", Type.A, new OPTRecord(1232, 0, 0)));
                assertThat(answer.getRcode()).isEqualTo(Rcode.NOERROR);
                assertThat(answer.getSection(Section.ANSWER)).isEmpty();
                assertThat(((ExtendedErrorCodeOption) answer.getOPT()
                                        .getOptions(EDNSOption.Code.EDNS_EXTENDED_ERROR)
                                        .get(0))
                                .getErrorCode())
                        .isEqualTo(15);
            }
            assertThat(resolver.asked("evil.example")).isEqualTo(1);
            assertThat(world.frontend().stats().sum(DnsCounter.FORWARD_REBINDING))
                    .isEqualTo(2);
            assertThat(world.frontend().stats().sum(DnsCounter.FORWARD_BLOCKED)).isZero();
        }
    }

    @Test
    void namesOfInsideMayHaveThem() throws Exception {
        try (FakeResolver resolver = new FakeResolver("10.1.2.3");
                ForwardWorld world = new ForwardWorld(RebindingTest::guarded, resolver)) {
            assertThat(Messages.answers(world.ask("www.corp.example", Type.A))).containsExactly("10.1.2.3");
            assertThat(Messages.answers(world.ask("corp.example", Type.A))).containsExactly("10.1.2.3");
            assertThat(Messages.answers(world.ask("notcorp.example", Type.A))).isEmpty();
        }
    }

    @Test
    void addressesOfTheInternetAreGiven() throws Exception {
        try (FakeResolver resolver = new FakeResolver("192.0.2.1");
                ForwardWorld world = new ForwardWorld(RebindingTest::guarded, resolver)) {
            assertThat(Messages.answers(world.ask("www.example", Type.A))).containsExactly("192.0.2.1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"::1", "fe80::1", "fd00::1", "64:ff9b::c0a8:101"})
    void theSameHoldsForIpv6(String address) throws Exception {
        try (FakeResolver resolver = new FakeResolver("192.0.2.1");
                ForwardWorld world = new ForwardWorld(RebindingTest::guarded, resolver)) {
            InetAddress inside = InetAddress.getByName(address);
            resolver.answers(query -> {
                Message reply = FakeResolver.reply(query, Rcode.NOERROR);
                reply.addRecord(new AAAARecord(query.getQuestion().getName(), DClass.IN, 300, inside), Section.ANSWER);
                return reply;
            });
            assertThat(world.ask("evil.example", Type.AAAA).getSection(Section.ANSWER))
                    .isEmpty();
        }
    }

    private static DnsForwardConfig guarded(DnsForwardConfig config) {
        DnsRebindConfig rebind = new DnsRebindConfig(List.of("corp.example"), DnsRebindConfig.INSIDE);
        return config.toBuilder()
                .policy(new DnsPolicyConfig(List.of(), Optional.of(rebind)))
                .build();
    }
}
