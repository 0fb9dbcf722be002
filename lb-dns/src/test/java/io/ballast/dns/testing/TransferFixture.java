package io.ballast.dns.testing;

import io.ballast.core.config.HostPort;
import io.ballast.core.net.Cidr;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsControlConfig;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.config.TsigKeyConfig;
import io.ballast.dns.config.TsigKeyConfig.Algorithm;
import io.ballast.dns.config.TsigSecret;
import io.ballast.dns.config.zone.TransferConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.net.config.TransportKind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.xbill.DNS.TSIG;

/** A frontend that serves {@code example.com} from a changing file, and transfers it to other servers. */
public final class TransferFixture implements AutoCloseable {

    public static final String KEY = "transfer.key";
    public static final String SECRET = "c2VjcmV0IG9mIDMyIG9jdGV0cyBpbiB0aGlzIHRlc3Q=";
    public static final List<Cidr> LOOPBACK = List.of(Cidr.parse("127.0.0.0/8"));

    private final ZoneFixture fixture =
            new ZoneFixture().pool("web", ZoneFixture.backend("192.0.2.2"), ZoneFixture.backend("192.0.2.1"));
    private final Path file;
    private final HostPort address = Reload.free();
    private final List<DnsListenerConfig> others = new ArrayList<>();
    private DnsFrontend frontend;

    /** @param directory directory in which the zone file is written */
    public TransferFixture(Path directory) throws IOException {
        file = directory.resolve("zone");
    }

    /** Returns the TSIG key that may transfer the zone. */
    public static TSIG tsig() {
        return new TSIG(TSIG.HMAC_SHA256, KEY + ".", SECRET);
    }

    /** Returns the start of the zone: SOA and name servers. */
    public static String head(long serial) {
        return """
                $ORIGIN example.com.
                $TTL 300
                @ SOA ns1 hostmaster %d 3600 600 604800 60
                @ NS ns1
                ns1 A 127.0.0.1
                """.formatted(serial);
    }

    public void write(String zone) throws IOException {
        Path next = file.resolveSibling("next");
        Files.writeString(next, zone);
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Adds a listener. Must be called before {@link #start}. */
    public void listens(DnsListenerConfig other) {
        others.add(other);
    }

    /** Starts to serve the written file with these transfer rules. */
    public void start(TransferConfig rules, int transfers) throws IOException {
        frontend = DnsFrontend.start(
                config(rules, transfers), fixture.topology(), /* eventLoops= */ 2, TransportKind.AUTO);
    }

    /** Reloads the written file. */
    public void reload(TransferConfig rules) throws IOException {
        Reload.apply(frontend, config(rules, DnsControlConfig.DEFAULT_TRANSFERS), fixture);
    }

    private DnsConfig config(TransferConfig rules, int transfers) {
        fixture.withoutZones();
        fixture.zone("example.com", file, ZoneFixture.service("app", "web"));
        List<DnsListenerConfig> listeners = new ArrayList<>(others);
        listeners.add(0, DnsListenerConfig.plain(address));
        DnsConfig config = fixture.dns(DnsTcpConfig.DEFAULT, listeners.toArray(DnsListenerConfig[]::new));
        List<ZoneConfig> zones =
                config.zones().stream().map(zone -> zone.withTransfer(rules)).toList();
        List<TsigKeyConfig> keys = List.of(new TsigKeyConfig(KEY, Algorithm.HMAC_SHA256, new TsigSecret(SECRET)));
        return new DnsConfig(config.listeners(), config.udp(), config.tcp(), zones)
                .withControl(new DnsControlConfig(keys, transfers));
    }

    /** Returns rules that allow transfers signed with the key. */
    public static TransferConfig byKey() {
        return new TransferConfig(List.of(), List.of(KEY), List.of(), Optional.empty());
    }

    /** Returns rules that allow transfers to the given networks. */
    public static TransferConfig to(String... networks) {
        return new TransferConfig(
                List.of(networks).stream().map(Cidr::parse).toList(), List.of(), List.of(), Optional.empty());
    }

    public DnsFrontend frontend() {
        return frontend;
    }

    public ZoneFixture zones() {
        return fixture;
    }

    public InetSocketAddress address() {
        return Reload.socketAddress(address);
    }

    @Override
    public void close() {
        if (frontend != null) {
            frontend.close();
        }
    }
}
