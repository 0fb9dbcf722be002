package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsPolicyConfig;
import io.ballast.dns.config.forward.DnsRebindConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
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

/** Tests rebinding protection: public names must not resolve to private addresses. */
class RebindingTest {

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0", "10.1.2.3", "172.31.0.1", "192.168.1.1", "169.254.169.254"})
    void privateAddressIsRemoved(String address) throws Exception {
        try (FakeResolver resolver = new FakeResolver(address);
                ForwarderFixture fixture = new ForwarderFixture(RebindingTest::guarded, resolver)) {
            for (int i = 0; i < 2; i++) {
                Message answer = fixture.query(Messages.query("evil.example", Type.A, new OPTRecord(1232, 0, 0)));
                assertThat(answer.getRcode()).isEqualTo(Rcode.NOERROR);
                assertThat(answer.getSection(Section.ANSWER)).isEmpty();
                assertThat(((ExtendedErrorCodeOption) answer.getOPT()
                                        .getOptions(EDNSOption.Code.EDNS_EXTENDED_ERROR)
                                        .get(0))
                                .getErrorCode())
                        .isEqualTo(15);
            }
            assertThat(resolver.queries("evil.example")).isEqualTo(1);
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_REBINDING))
                    .isEqualTo(2);
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_BLOCKED))
                    .isZero();
        }
    }

    @Test
    void configuredPrivateNamesMayHavePrivateAddresses() throws Exception {
        try (FakeResolver resolver = new FakeResolver("10.1.2.3");
                ForwarderFixture fixture = new ForwarderFixture(RebindingTest::guarded, resolver)) {
            assertThat(Messages.answers(fixture.query("www.corp.example", Type.A)))
                    .containsExactly("10.1.2.3");
            assertThat(Messages.answers(fixture.query("corp.example", Type.A))).containsExactly("10.1.2.3");
            assertThat(Messages.answers(fixture.query("notcorp.example", Type.A)))
                    .isEmpty();
        }
    }

    @Test
    void publicAddressesAreForwarded() throws Exception {
        try (FakeResolver resolver = new FakeResolver("192.0.2.1");
                ForwarderFixture fixture = new ForwarderFixture(RebindingTest::guarded, resolver)) {
            assertThat(Messages.answers(fixture.query("www.example", Type.A))).containsExactly("192.0.2.1");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "::1",
                "fe80::1",
                "fd00::1",
                "64:ff9b::c0a8:101",
                "64:ff9b::6440:1",
                "64:ff9b:1::c0a8:101",
                "2002:c0a8:101::1",
                "2001:0:4136:e378:8000:63bf:3f57:fefe",
                "::c0a8:101"
            })
    void appliesToIpv6(String address) throws Exception {
        try (FakeResolver resolver = new FakeResolver("192.0.2.1");
                ForwarderFixture fixture = new ForwarderFixture(RebindingTest::guarded, resolver)) {
            InetAddress inside = InetAddress.getByName(address);
            resolver.answers(query -> {
                Message reply = FakeResolver.reply(query, Rcode.NOERROR);
                reply.addRecord(new AAAARecord(query.getQuestion().getName(), DClass.IN, 300, inside), Section.ANSWER);
                return reply;
            });
            assertThat(fixture.query("evil.example", Type.AAAA).getSection(Section.ANSWER))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example. 300 IN HTTPS 1 . ipv4hint=192.168.1.1",
                "evil.example. 300 IN HTTPS 1 . alpn=h2 ipv4hint=192.0.2.1,10.1.2.3",
                "evil.example. 300 IN SVCB 1 . ipv4hint=127.0.0.1",
                "evil.example. 300 IN HTTPS 1 . ipv6hint=fd00::1",
                "evil.example. 300 IN HTTPS 1 . ipv6hint=2001:db8::1,64:ff9b::a01:203"
            })
    void appliesToAddressHints(String line) throws Exception {
        try (FakeResolver resolver = new FakeResolver("192.0.2.1");
                ForwarderFixture fixture = new ForwarderFixture(RebindingTest::guarded, resolver)) {
            resolver.answers(query -> answer(query, line));
            for (int type : new int[] {Messages.record(line).getType(), Type.ANY}) {
                assertThat(fixture.query("evil.example", type).getSection(Section.ANSWER))
                        .isEmpty();
            }
        }
    }

    @Test
    void publicHintsAreForwarded() throws Exception {
        try (FakeResolver resolver = new FakeResolver("192.0.2.1");
                ForwarderFixture fixture = new ForwarderFixture(RebindingTest::guarded, resolver)) {
            resolver.answers(
                    query -> answer(query, "www.example. 300 IN HTTPS 1 . ipv4hint=192.0.2.1 ipv6hint=2001:db8::1"));
            assertThat(fixture.query("www.example", Type.HTTPS).getSection(Section.ANSWER))
                    .hasSize(1);
        }
    }

    /**
     * Tests hints of 3 bytes, duplicate hints, and a truncated parameter, from which lenient clients could read an
     * address.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "000100 0004 0003 C0A801",
                "000100 0001 0003 026832 0004 0004 C0000201 0004 0004 C0A80101",
                "000100 0006 0010 20010DB8000000000000000000000001 0004 0004 C0A80101",
                "000100 0004 0008 C0A80101"
            })
    void malformedParametersAreRejected(String data) throws Exception {
        byte[] bytes = HexFormat.of().parseHex(data.replace(" ", ""));
        try (FakeResolver resolver = new FakeResolver("192.0.2.1");
                ForwarderFixture fixture = new ForwarderFixture(RebindingTest::guarded, resolver)) {
            resolver.answersByHand((query, from, socket) -> {
                byte[] reply = withRecord(query, bytes);
                socket.send(new DatagramPacket(reply, reply.length, from));
            });
            assertThat(fixture.query("evil.example", Type.HTTPS).getSection(Section.ANSWER))
                    .isEmpty();
        }
    }

    private static byte[] withRecord(Message query, byte[] data) {
        byte[] begin = FakeResolver.reply(query, Rcode.NOERROR).toWire();
        ByteBuffer reply = ByteBuffer.allocate(begin.length + 12 + data.length).put(begin);
        reply.putShort(6, (short) 1);
        reply.putShort((short) 0xC00C).putShort((short) Type.HTTPS).putShort((short) DClass.IN);
        return reply.putInt(300).putShort((short) data.length).put(data).array();
    }

    @Test
    void authorityAddressesAreRemoved() throws Exception {
        try (FakeResolver resolver = new FakeResolver("192.0.2.1");
                ForwarderFixture fixture = new ForwarderFixture(RebindingTest::guarded, resolver)) {
            resolver.answers(query -> {
                Message reply = answer(query, "www.example. 300 IN A 192.0.2.1");
                reply.addRecord(Messages.record("www.example. 300 IN A 192.168.1.1"), Section.AUTHORITY);
                reply.addRecord(Messages.record("example. 300 IN HTTPS 1 . ipv4hint=192.168.1.1"), Section.AUTHORITY);
                reply.addRecord(Messages.record("example. 300 IN NS ns.example."), Section.AUTHORITY);
                reply.addRecord(Messages.record("ns.example. 300 IN A 192.168.1.1"), Section.ADDITIONAL);
                return reply;
            });
            Message answer = fixture.query("www.example", Type.A);
            assertThat(Messages.answers(answer)).containsExactly("192.0.2.1");
            assertThat(Messages.data(answer, Section.AUTHORITY)).containsExactly("ns.example.");
            assertThat(answer.getSection(Section.ADDITIONAL)).isEmpty();
        }
    }

    private static Message answer(Message query, String... lines) {
        Message reply = FakeResolver.reply(query, Rcode.NOERROR);
        for (String line : lines) {
            reply.addRecord(Messages.record(line), Section.ANSWER);
        }
        return reply;
    }

    private static DnsForwardConfig guarded(DnsForwardConfig config) {
        DnsRebindConfig rebind = new DnsRebindConfig(List.of("corp.example"), DnsRebindConfig.DEFAULT_NETWORKS);
        return config.toBuilder()
                .policy(new DnsPolicyConfig(List.of(), Optional.of(rebind)))
                .build();
    }
}
