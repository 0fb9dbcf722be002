package io.ballast.dns.secondary;

import io.ballast.core.config.HostPort;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsControlConfig;
import io.ballast.dns.config.TsigKeyConfig;
import io.ballast.dns.config.TsigSecret;
import io.ballast.dns.config.zone.SecondaryConfig;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.ZoneInputs;
import io.ballast.dns.zone.signing.SigningSetup;
import io.ballast.net.config.TransportKind;
import io.ballast.net.takeover.InheritedSockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

/** A complete frontend with secondary zones, on its own threads. */
final class SecondaryServer implements AutoCloseable {

    static final String KEY = "transfer.key";
    static final String SECRET = "c2VjcmV0IG9mIDMyIG9jdGV0cyBpbiB0aGlzIHRlc3Q=";

    private static final int TIMEOUT_MILLIS = 30_000;

    private final ControlPlane control = ControlPlane.start(Clock.systemUTC());
    private final Background transfers = Background.of("transfers", /* max= */ 2);
    private final Background changes = Background.of("changes", /* max= */ 1);
    private final Background signer = Background.of("signer", /* max= */ 1);
    private final Background compiler = Background.of("compiler", /* max= */ 1);
    private final DnsFrontend frontend;

    private SecondaryServer(DnsConfig config, ZoneFixture fixture, Path directory) throws IOException {
        this.frontend = DnsFrontend.bind(
                config,
                ZoneInputs.of(fixture.topology()).withCompiler(compiler),
                /* eventLoops= */ 1,
                TransportKind.AUTO,
                new SigningSetup(directory, control, signer),
                /* lists= */ null,
                new SecondarySetup(
                        control,
                        transfers,
                        changes,
                        directory.resolve("secondary"),
                        directory.resolve("updates"),
                        directory.resolve("catalogs"),
                        new SplittableRandom(1)),
                InheritedSockets.none());
        frontend.begin();
    }

    static ZoneConfig zone(String name, SecondaryConfig secondary, ServiceConfig... services) {
        return new ZoneConfig(
                name,
                ZoneConfig.SoaConfig.placeholder(),
                List.of(),
                ZoneConfig.DEFAULT_NS_TTL,
                Optional.empty(),
                Optional.empty(),
                List.of(services),
                Optional.empty(),
                Optional.of(secondary),
                /* update= */ Optional.empty(),
                /* members= */ List.of());
    }

    static SecondaryServer start(ZoneFixture fixture, HostPort listener, Path directory, ZoneConfig... zones)
            throws IOException {
        List<TsigKeyConfig> keys =
                List.of(new TsigKeyConfig(KEY, TsigKeyConfig.DEFAULT_ALGORITHM, new TsigSecret(SECRET)));
        DnsConfig config = fixture.dns(listener)
                .withZones(List.of(zones))
                .withControl(new DnsControlConfig(keys, DnsControlConfig.DEFAULT_TRANSFERS));
        return new SecondaryServer(config, fixture, directory);
    }

    InetSocketAddress address() {
        return frontend.addresses().get(0);
    }

    /** Starts refreshing from the primaries. */
    void begin() {
        frontend.secondaryZones().orElseThrow().begin();
    }

    Message query(String name) throws IOException {
        return Reload.query(address(), name, Type.A);
    }

    Message query(Message query) throws IOException {
        return Reload.query(address(), query);
    }

    /** Repeats a query for at most half a minute, until the name has these addresses. */
    void await(String name, String... addresses) throws IOException {
        List<String> found = List.of();
        for (int i = 0; i < TIMEOUT_MILLIS / 5; i++) {
            found = Messages.answers(query(name));
            if (found.equals(List.of(addresses))) {
                return;
            }
            LockSupport.parkNanos(5_000_000);
        }
        throw new AssertionError(name + ": " + found + " and not " + List.of(addresses) + "; "
                + frontend.secondaryZones().orElseThrow().states());
    }

    /** Returns the state of a zone. */
    SecondaryState state(String zone) {
        return frontend.secondaryZones().orElseThrow().states().stream()
                .filter(each -> each.zone().equals(zone))
                .findFirst()
                .orElseThrow();
    }

    /** Waits until a zone has a problem, for at most half a minute. */
    SecondaryState awaitProblem(String zone) {
        for (int i = 0; i < TIMEOUT_MILLIS / 5; i++) {
            for (SecondaryState state : frontend.secondaryZones().orElseThrow().states()) {
                if (state.zone().equals(zone) && !state.problem().isEmpty()) {
                    return state;
                }
            }
            LockSupport.parkNanos(5_000_000);
        }
        throw new AssertionError("no problem with " + zone);
    }

    @Override
    public void close() {
        frontend.close();
        transfers.close();
        changes.close();
        signer.close();
        compiler.close();
        control.close();
    }
}
