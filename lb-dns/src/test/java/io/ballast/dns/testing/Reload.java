package io.ballast.dns.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.TlsFiles;
import io.ballast.dns.DnsChange;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.config.DnsListenerConfig.Protocol;
import io.ballast.dns.zone.ZoneInputs;
import io.ballast.net.testing.FreePort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.xbill.DNS.Message;
import org.xbill.DNS.SimpleResolver;

/** Reloads the configuration of a running frontend in tests. */
public final class Reload {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private Reload() {}

    /** Activates another configuration with the pools of a fixture. */
    public static void apply(DnsFrontend frontend, DnsConfig next, ZoneFixture fixture) throws IOException {
        DnsChange change = frontend.prepare(next, ZoneInputs.of(fixture.topology()));
        change.commit();
        change.releasePrevious();
    }

    /** Returns a loopback address whose port is free for UDP and TCP. */
    public static HostPort free() throws IOException {
        return new HostPort("127.0.0.1", FreePort.find());
    }

    public static InetSocketAddress socketAddress(HostPort address) {
        return new InetSocketAddress(address.host(), address.port());
    }

    /** Makes a TLS listener. */
    public static DnsListenerConfig encrypted(HostPort bind, Protocol protocol, TlsFiles files) {
        return new DnsListenerConfig(bind, protocol, Optional.of(files), Optional.empty());
    }

    /** Sends one query over UDP. */
    public static Message query(InetSocketAddress server, String name, int type) throws IOException {
        return query(server, Messages.query(name, type));
    }

    public static Message query(InetSocketAddress server, Message query) throws IOException {
        SimpleResolver resolver = new SimpleResolver(server);
        resolver.setEDNS(-1);
        resolver.setTimeout(TIMEOUT);
        return resolver.send(query);
    }

    /** Queries the first address of a frontend and expects these addresses in any order. */
    public static void assertAnswers(DnsFrontend frontend, String name, int type, String... expected)
            throws IOException {
        Message response = query(frontend.addresses().get(0), name, type);
        assertThat(Messages.answers(response)).containsExactlyInAnyOrder(expected);
    }
}
