package io.ballast.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.dns.config.CookieConfig;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.config.RateLimitConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.StreamClient;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.net.config.TransportKind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.CookieOption;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/** Tests that a reload applies changed settings to the next query, and keeps the state of unchanged settings. */
class DnsSettingsReloadTest {

    private static final String NAME = "app.example.com";
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final CookieConfig COOKIES = CookieConfig.DEFAULT;
    /** A limit so low that the second response exceeds it during the whole test. */
    private static final RateLimitConfig ONE = new RateLimitConfig(1, 1, /* slip= */ 1, List.of());

    private final HostPort address;
    private final ZoneFixture fixture = new ZoneFixture()
            .pool("web", ZoneFixture.backend("192.0.2.1"))
            .zone("example.com", ZoneFixture.service("app", "web"));

    DnsSettingsReloadTest() throws IOException {
        address = Reload.free();
    }

    @Test
    void reloadChangesServerName() throws IOException {
        try (DnsFrontend frontend = start(named("first"))) {
            assertThat(identity()).containsExactly("first");

            Reload.apply(frontend, named("second"), fixture);

            assertThat(identity()).containsExactly("second");
        }
    }

    private List<String> identity() throws IOException {
        Record question = Record.newRecord(Messages.name("id.server"), Type.TXT, DClass.CH);
        return Messages.answers(Reload.query(Reload.socketAddress(address), Message.newQuery(question)));
    }

    @Test
    void reloadKeepsRateLimitState() throws IOException {
        try (DnsFrontend frontend = start(config(COOKIES, Optional.of(ONE), "a"))) {
            query();
            assertThat(isLimited()).isTrue();

            Reload.apply(frontend, config(COOKIES, Optional.of(ONE), "b"), fixture);
            assertThat(isLimited()).isTrue();

            Reload.apply(frontend, config(COOKIES, Optional.empty(), "b"), fixture);
            assertThat(isLimited()).isFalse();
        }
    }

    /** Whether the response is truncated for a client that does not retry over TCP. */
    private boolean isLimited() throws IOException {
        SimpleResolver resolver = new SimpleResolver(Reload.socketAddress(address));
        resolver.setEDNS(-1);
        resolver.setIgnoreTruncation(true);
        return Messages.has(resolver.send(Messages.query(NAME, Type.A)), Flags.TC);
    }

    @Test
    void cookiesStayValidWithSameSecret() throws IOException {
        try (DnsFrontend frontend = start(config(COOKIES, Optional.empty(), "a"))) {
            CookieOption made = cookie(query(new CookieOption(new byte[8])));
            Reload.apply(frontend, config(COOKIES, Optional.of(RateLimitConfig.DEFAULT), "b"), fixture);

            query(made);

            assertThat(frontend.stats().sum(DnsCounter.COOKIES_VALID)).isEqualTo(1);
            assertThat(frontend.stats().sum(DnsCounter.COOKIES_BAD)).isZero();
        }
    }

    private static CookieOption cookie(Message response) {
        return (CookieOption)
                response.getOPT().getOptions(EDNSOption.Code.COOKIE).get(0);
    }

    private Message query(EDNSOption... options) throws IOException {
        Message query = Messages.query(NAME, Type.A, new OPTRecord(1232, 0, 0, 0, List.of(options)));
        return Reload.query(Reload.socketAddress(address), query);
    }

    @Test
    void reloadAppliesLimitsToOpenConnections() throws IOException {
        DnsListenerConfig listener = DnsListenerConfig.plain(address);
        try (DnsFrontend frontend = start(fixture.dns(new DnsTcpConfig(LONG, LONG, 10, 0, 64), listener));
                StreamClient first = connect();
                StreamClient second = connect()) {
            first.query(NAME, Type.A);
            second.query(NAME, Type.A);

            Reload.apply(frontend, fixture.dns(new DnsTcpConfig(LONG, LONG, 10, 1, 64), listener), fixture);
            for (int i = 0; i < 2; i++) { // each loop applies its new limits before its next answer
                first.query(NAME, Type.A);
                second.query(NAME, Type.A);
            }
            try (StreamClient third = connect()) {
                third.awaitEnd();
            }
            second.query(NAME, Type.A);
            assertThat(frontend.stats().sum(DnsCounter.CLIENT_LIMIT)).isEqualTo(1);

            Reload.apply(frontend, fixture.dns(new DnsTcpConfig(LONG, LONG, 1, 1, 64), listener), fixture);
            first.awaitEnd();
            assertThat(frontend.stats().sum(DnsCounter.EVICTED)).isEqualTo(1);

            DnsTcpConfig brief = new DnsTcpConfig(Duration.ofMillis(1), LONG, 1, 1, 64);
            Reload.apply(frontend, fixture.dns(brief, listener), fixture);
            second.awaitEnd();
            assertThat(frontend.stats().sum(DnsCounter.IDLE)).isEqualTo(1);
        }
    }

    private StreamClient connect() throws IOException {
        return new StreamClient(Reload.socketAddress(address));
    }

    private DnsConfig named(String name) {
        return config(COOKIES, Optional.empty(), name);
    }

    private DnsConfig config(CookieConfig cookies, Optional<RateLimitConfig> limit, String name) {
        DnsConfig plain = fixture.dns(address);
        return plain.toBuilder()
                .nsid(Optional.of(name))
                .identity(Optional.of(name))
                .cookies(cookies)
                .rateLimit(limit)
                .build();
    }

    private DnsFrontend start(DnsConfig config) throws IOException {
        return DnsFrontend.start(config, fixture.topology(), /* eventLoops= */ 1, TransportKind.AUTO);
    }
}
