package io.ballast.dns.update;

import io.ballast.core.config.HostPort;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import io.ballast.dns.DnsChange;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsControlConfig;
import io.ballast.dns.config.TsigKeyConfig;
import io.ballast.dns.config.TsigKeyConfig.Algorithm;
import io.ballast.dns.config.TsigSecret;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.TransferConfig;
import io.ballast.dns.config.zone.UpdateConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.secondary.SecondarySetup;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.StreamClient;
import io.ballast.dns.testing.TransferFixture;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.ZoneInputs;
import io.ballast.dns.zone.signing.SigningSetup;
import io.ballast.net.config.TransportKind;
import io.ballast.net.takeover.InheritedSockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;
import org.xbill.DNS.Update;

/** A complete frontend with a zone that clients may update. */
final class UpdateServer implements AutoCloseable {

    /** The zone that clients may update. */
    static final Name ZONE = Messages.name("example.com");

    private final ControlPlane control = ControlPlane.start(Clock.systemUTC());
    private final Background changes = Background.of("changes", /* max= */ 1);
    private final Background compiler = Background.of("compiler", /* max= */ 1);
    private final Background signer = Background.of("signer", /* max= */ 1);
    private final ZoneFixture fixture = new ZoneFixture().pool("web", ZoneFixture.backend("192.0.2.80"));
    private final HostPort address = Reload.free();
    private final Path file;
    private final Path second;
    private final DnsFrontend frontend;

    /**
     * @param directory directory with the zone files {@code zone} (example.com) and optionally {@code second}
     * (example.net), and all stored data
     */
    UpdateServer(Path directory, UpdateConfig clients, Optional<DnssecConfig> dnssec, TransferConfig others)
            throws IOException {
        this.file = directory.resolve("zone");
        this.second = directory.resolve("second");
        this.frontend = DnsFrontend.bind(
                config(clients, dnssec, others),
                ZoneInputs.of(fixture.topology()).withCompiler(compiler),
                /* eventLoops= */ 1,
                TransportKind.AUTO,
                new SigningSetup(directory, control, signer),
                /* lists= */ null,
                new SecondarySetup(
                        control,
                        changes,
                        changes,
                        directory.resolve("secondary"),
                        directory.resolve("updates"),
                        directory.resolve("catalogs"),
                        new SplittableRandom(1)),
                InheritedSockets.none());
        frontend.begin();
        frontend.beginManagedZones();
    }

    /** Starts a server without DNSSEC that accepts updates and transfers signed with the key. */
    static UpdateServer start(Path directory) throws IOException {
        return new UpdateServer(directory, byKey(), Optional.empty(), TransferFixture.byKey());
    }

    /** Writes the file of the zone, with serial 7 and one address, {@code old.example.com}. */
    static Path writeZone(Path directory) throws IOException {
        return Files.writeString(directory.resolve("zone"), TransferFixture.head(7) + "old A 192.0.2.1\n");
    }

    /** Returns an update that adds an address to a name of the zone. */
    static Update adding(String name, String address) throws IOException {
        Update update = new Update(ZONE);
        update.add(Messages.name(name), Type.A, 60, address);
        return update;
    }

    /** Returns settings that allow updates signed with the key. */
    static UpdateConfig byKey() {
        return new UpdateConfig(List.of(TransferFixture.KEY), List.of());
    }

    DnsConfig config(UpdateConfig clients, Optional<DnssecConfig> dnssec, TransferConfig others) {
        fixture.withoutZones();
        fixture.zone("example.com", file, ZoneFixture.service("app", "web"));
        if (Files.exists(second)) {
            fixture.zone("example.net", second);
        }
        DnsConfig config = fixture.dns(address);
        List<ZoneConfig> zones = config.zones().stream()
                .map(zone -> new ZoneConfig(
                        zone.name(),
                        zone.soa(),
                        zone.nameServers(),
                        zone.nsTtl(),
                        zone.file(),
                        dnssec,
                        zone.services()))
                .map(zone -> zone.name().equals("example.com")
                        ? zone.withTransfer(others).withUpdate(clients)
                        : zone)
                .toList();
        List<TsigKeyConfig> keys = List.of(
                new TsigKeyConfig(TransferFixture.KEY, Algorithm.HMAC_SHA256, new TsigSecret(TransferFixture.SECRET)));
        return config.withZones(zones).withControl(new DnsControlConfig(keys, DnsControlConfig.DEFAULT_TRANSFERS));
    }

    DnsChange prepare(DnsConfig next) throws IOException {
        return frontend.prepare(next, ZoneInputs.of(fixture.topology()).withCompiler(compiler));
    }

    /** Reloads the configuration on the thread that makes changes, like an operator's reload. */
    void reload(DnsConfig next) throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        changes.execute(() -> {
            try (DnsChange change = prepare(next)) {
                change.commit();
                change.releasePrevious();
                done.complete(null);
            } catch (IOException | RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        done.get();
    }

    /** Blocks changes until the returned action runs. */
    Runnable hold() {
        CountDownLatch released = new CountDownLatch(1);
        changes.execute(() -> {
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return released::countDown;
    }

    /** Waits until pending changes are made. */
    void settled() throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        changes.execute(() -> done.complete(null));
        done.get();
    }

    InetSocketAddress address() {
        return frontend.addresses().get(0);
    }

    DnsFrontend frontend() {
        return frontend;
    }

    /** Sends an update signed with the allowed key. */
    int send(Update update) throws IOException {
        return signing().send(update).getRcode();
    }

    /** Sends a message signed with the allowed key, without waiting for the answer. */
    static void sendSigned(Message message, StreamClient client) throws IOException {
        message.setTSIG(TransferFixture.tsig());
        client.send(StreamClient.framed(message.toWire(Message.MAXLENGTH)));
    }

    SimpleResolver signing() throws IOException {
        SimpleResolver resolver = new SimpleResolver(address());
        resolver.setTSIGKey(TransferFixture.tsig());
        return resolver;
    }

    Message query(String name, int type) throws IOException {
        return Reload.query(address(), name, type);
    }

    /** Returns the serial of the zone as a client sees it. */
    long serial() throws IOException {
        Message answer = query("example.com", Type.SOA);
        return ((SOARecord) answer.getSection(Section.ANSWER).get(0)).getSerial();
    }

    /** Returns the IPv4 addresses of the name as a client sees them. */
    List<String> addresses(String name) throws IOException {
        return Messages.answers(query(name, Type.A));
    }

    @Override
    public void close() {
        frontend.close();
        changes.close();
        compiler.close();
        signer.close();
        control.close();
    }
}
