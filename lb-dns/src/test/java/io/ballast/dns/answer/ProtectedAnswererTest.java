package io.ballast.dns.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.CookieConfig;
import io.ballast.dns.config.RateLimitConfig;
import io.ballast.dns.protect.Protection;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.RawQuery;
import io.ballast.dns.testing.ZoneFixture;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.CookieOption;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.EDNSOption.Code;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSIDOption;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.TcpKeepaliveOption;

/** Tests EDNS options and protection from query to response; dnsjava parses the responses. */
class ProtectedAnswererTest {

    private static final String CLIENT_COOKIE = "2464c4abcf10c957";
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1_700_000_000));
    private static final ZoneFixture FIXTURE = new ZoneFixture()
            .pool("web", ZoneFixture.backend("192.0.2.1"))
            .zone("example.com", ZoneFixture.service("app", "web"));

    private final AnswererClient client = client(Optional.empty());

    @Test
    void serverCookieIsValidForNextQuery() {
        Message first = query(new RawQuery().option(10, CLIENT_COOKIE));
        String cookie = cookie(first);

        assertThat(cookie).startsWith(CLIENT_COOKIE + "01000000").hasSize(48);
        assertThat(Messages.answers(first)).containsExactly("192.0.2.1");
        assertThat(cookie(query(new RawQuery().option(10, cookie)))).isEqualTo(cookie);
        assertThat(client.stats().sum(DnsCounter.COOKIES_VALID)).isEqualTo(1);
    }

    @Test
    void invalidCookieIsReplaced() {
        Message response = query(new RawQuery().option(10, CLIENT_COOKIE + "00".repeat(16)));

        assertThat(response.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(Messages.answers(response)).containsExactly("192.0.2.1");
        assertThat(cookie(response)).startsWith(CLIENT_COOKIE + "01000000");
        assertThat(client.stats().sum(DnsCounter.COOKIES_BAD)).isEqualTo(1);
    }

    @Test
    void cookieIsBoundToClient() {
        String cookie = cookie(query(new RawQuery().option(10, CLIENT_COOKIE)));
        client.from("192.0.2.100", 5353);

        assertThat(cookie(query(new RawQuery().option(10, cookie)))).isNotEqualTo(cookie);
        assertThat(client.stats().sum(DnsCounter.COOKIES_BAD)).isEqualTo(1);
    }

    @Test
    void cookieOfInvalidLengthIsFormerr() {
        assertThat(query(new RawQuery().option(10, "00")).getRcode()).isEqualTo(Rcode.FORMERR);
        assertThat(client.stats().sum(DnsCounter.MALFORMED)).isEqualTo(1);
    }

    @Test
    void cookieOnlyQueryIsAnswered() {
        Message fresh = query(new RawQuery().withoutQuestion().option(10, CLIENT_COOKIE));
        Message bad = query(new RawQuery().withoutQuestion().option(10, CLIENT_COOKIE + "00".repeat(16)));
        Message good = query(new RawQuery().withoutQuestion().option(10, cookie(fresh)));

        assertThat(fresh.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(fresh.getSection(Section.QUESTION)).isEmpty();
        assertThat(bad.getRcode()).isEqualTo(Rcode.BADCOOKIE);
        assertThat(cookie(bad)).isEqualTo(cookie(fresh));
        assertThat(good.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(query(new RawQuery().withoutQuestion()).getRcode()).isEqualTo(Rcode.FORMERR);
    }

    @Test
    void disabledCookiesAreNotSent() {
        AnswererClient open = new AnswererClient(FIXTURE);
        Message response = Messages.parse(open.query(
                new RawQuery().option(10, CLIENT_COOKIE).option(3, "").toWire(), Transport.UDP));
        byte[] alone =
                new RawQuery().withoutQuestion().option(10, CLIENT_COOKIE).toWire();

        assertThat(response.getOPT().getOptions()).isEmpty();
        assertThat(Messages.parse(open.query(alone, Transport.UDP)).getRcode()).isEqualTo(Rcode.FORMERR);
    }

    @Test
    void clientSubnetIsEchoed() {
        Message response = query(new RawQuery().option(8, "0001 19 00 c0000280"));

        ClientSubnetOption option = option(response, Code.CLIENT_SUBNET, ClientSubnetOption.class);
        assertThat(option.getAddress().getHostAddress()).isEqualTo("192.0.2.128");
        assertThat(option.getSourcePrefixLength()).isEqualTo(25);
        assertThat(option.getScopePrefixLength()).isZero();
    }

    @Test
    void nsidIsSentOnRequest() {
        NSIDOption option = option(query(new RawQuery().option(3, "")), Code.NSID, NSIDOption.class);

        assertThat(option.toWire()).isEqualTo(RawQuery.hex("0003 0004 6c622d31"));
        assertThat(query(new RawQuery()).getOPT().getOptions()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void keepaliveIsSentOnTcp(Transport transport) {
        byte[] query = new RawQuery().option(11, "").toWire();
        Message response = Messages.parse(client.query(query, transport));

        if (transport == Transport.TCP || transport == Transport.DOT) {
            assertThat(option(response, Code.TCP_KEEPALIVE, TcpKeepaliveOption.class)
                            .getTimeout())
                    .hasValue(100);
            return;
        }
        assertThat(response.getOPT().getOptions()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void paddingIsSentOnEncryptedTransports(Transport transport) {
        byte[] response = client.query(new RawQuery().option(12, "0000").toWire(), transport);
        boolean encrypted = transport == Transport.DOT || transport == Transport.DOH;

        assertThat(response.length == 468).isEqualTo(encrypted);
        assertThat(Messages.parse(response).getOPT().getOptions()).hasSize(encrypted ? 1 : 0);
        assertThat(client.query(new RawQuery().toWire(), transport)).hasSizeLessThan(100);
    }

    @Test
    void refusedQueryHasExtendedError() {
        Message response = Messages.parse(client.query(
                Messages.query("example.org", 1, new OPTRecord(1232, 0, 0)).toWire(), Transport.UDP));

        assertThat(response.getRcode()).isEqualTo(Rcode.REFUSED);
        assertThat(option(response, Code.EDNS_EXTENDED_ERROR, ExtendedErrorCodeOption.class)
                        .getErrorCode())
                .isEqualTo(ExtendedErrorCodeOption.NOT_AUTHORITATIVE);
    }

    @Test
    void rateLimitedResponseIsTruncated() {
        AnswererClient limited = client(Optional.of(new RateLimitConfig(1, 1, 1, List.of())));
        Message query = Messages.query("app.example.com", 1);
        assertThat(Messages.answers(limited.query(query, Transport.UDP))).isNotEmpty();

        Message response = limited.query(query, Transport.UDP);

        assertThat(response.getHeader().getFlag(Flags.TC)).isTrue();
        assertThat(response.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(response.getQuestion()).isEqualTo(query.getQuestion());
        assertThat(Messages.answers(response)).isEmpty();
        assertThat(Messages.answers(limited.query(query, Transport.TCP))).isNotEmpty();
        assertThat(limited.stats().sum(DnsCounter.LIMITED_TRUNCATED)).isEqualTo(1);
        limited.from("198.51.100.1", 5353);
        assertThat(Messages.answers(limited.query(query, Transport.UDP))).isNotEmpty();
    }

    @Test
    void rateLimitedClientPassesWithCookie() {
        AnswererClient limited = client(Optional.of(new RateLimitConfig(1, 1, 1, List.of())));
        byte[] query = new RawQuery().option(10, CLIENT_COOKIE).toWire();
        limited.query(query, Transport.UDP);

        Message response = Messages.parse(limited.query(query, Transport.UDP));

        assertThat(response.getRcode()).isEqualTo(Rcode.BADCOOKIE);
        assertThat(limited.stats().sum(DnsCounter.BADCOOKIE)).isEqualTo(1);
        byte[] again = new RawQuery().option(10, cookie(response)).toWire();
        assertThat(Messages.answers(Messages.parse(limited.query(again, Transport.UDP))))
                .isNotEmpty();
    }

    @Test
    void rateLimitedResponseIsDroppedWithoutSlip() {
        AnswererClient limited = client(Optional.of(new RateLimitConfig(1, 1, 0, List.of())));
        byte[] query = Messages.query("app.example.com", 1).toWire();
        limited.query(query, Transport.UDP);

        assertThat(limited.query(query, Transport.UDP)).isEmpty();
        assertThat(limited.stats().sum(DnsCounter.LIMITED_DROPPED)).isEqualTo(1);
        assertThat(limited.stats().sum(DnsCounter.DROPPED)).isEqualTo(1);
    }

    @Test
    void errorsCountTowardRateLimit() {
        AnswererClient limited = client(Optional.of(new RateLimitConfig(1, 1, 0, List.of())));
        limited.query(new byte[12], Transport.UDP);

        assertThat(limited.query(new byte[12], Transport.UDP)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 19})
    void suspiciousSourcePortsAreDropped(int port) {
        byte[] query = Messages.query("app.example.com", 1).toWire();
        client.from("192.0.2.1", port);

        assertThat(client.query(query, Transport.UDP)).isEmpty();
        assertThat(client.query(query, Transport.TCP)).isNotEmpty();
        assertThat(client.stats().sum(DnsCounter.SUSPICIOUS_PORTS)).isEqualTo(1);
        assertThat(client.stats().sum(DnsCounter.DROPPED)).isEqualTo(1);
    }

    @Test
    void responsesAreDroppedAndCounted() {
        byte[] response = Messages.query("app.example.com", 1).toWire();
        response[2] |= (byte) 0x80;

        assertThat(client.query(response, Transport.UDP)).isEmpty();
        assertThat(client.query(response, Transport.TCP)).isEmpty();
        assertThat(client.stats().sum(DnsCounter.RESPONSES_RECEIVED)).isEqualTo(2);
    }

    private static AnswererClient client(Optional<RateLimitConfig> limit) {
        Protection protection = Protection.of(CookieConfig.DEFAULT, limit, CLOCK, () -> 0);
        return new AnswererClient(FIXTURE, new AnswerSettings(protection, "lb-1", Duration.ofSeconds(10)));
    }

    private Message query(RawQuery query) {
        return Messages.parse(client.query(query.toWire(), Transport.UDP));
    }

    private static String cookie(Message response) {
        CookieOption option = option(response, Code.COOKIE, CookieOption.class);
        HexFormat hex = HexFormat.of();
        return hex.formatHex(option.getClientCookie())
                + hex.formatHex(option.getServerCookie().orElseThrow());
    }

    private static <T extends EDNSOption> T option(Message response, int code, Class<T> type) {
        List<EDNSOption> options = response.getOPT().getOptions(code);
        assertThat(options).hasSize(1);
        return type.cast(options.get(0));
    }
}
