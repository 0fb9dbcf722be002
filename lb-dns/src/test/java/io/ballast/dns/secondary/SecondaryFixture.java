package io.ballast.dns.secondary;

import io.ballast.core.config.HostPort;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.config.DnsUdpKind;
import io.ballast.dns.config.zone.MemberGroup;
import io.ballast.dns.config.zone.SecondaryConfig;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** Secondary zones with a manual clock, and the configuration with which a server would serve them. */
final class SecondaryFixture {

    /** A time longer than the delay in which changes are collected. */
    static final Duration MOMENT = Duration.ofSeconds(1);

    final ManualScheduler time;
    private final ControlPlane control;
    private final Path directory;
    private final List<ZoneConfig> configured = new ArrayList<>();
    private SecondaryZones zones;
    private int changes;
    private DnsConfig served;

    SecondaryFixture(Path directory) {
        this(directory, new ManualScheduler());
    }

    private SecondaryFixture(Path directory, ManualScheduler time) {
        this.time = time;
        this.control = time.controlPlane();
        this.directory = directory;
        this.zones = zones();
        this.served = new DnsConfig(List.of(), DnsUdpKind.AUTO, DnsTcpConfig.DEFAULT, List.of());
    }

    private SecondaryZones zones() {
        SecondaryZones made = new SecondaryZones(new SecondarySetup(
                control,
                Runnable::run,
                Runnable::run,
                directory,
                directory.resolve("updates"),
                directory.resolve("catalogs"),
                new SplittableRandom(1)));
        made.onChange(() -> {
            changes++;
            commit();
        });
        return made;
    }

    SecondaryFixture zone(String name, HostPort... primaries) {
        return zone(name, new SecondaryConfig(List.of(primaries), Optional.empty()));
    }

    SecondaryFixture zone(String name, SecondaryConfig secondary) {
        configured.add(zoneOf(name, Optional.of(secondary)));
        return this;
    }

    SecondaryFixture catalog(String name, HostPort primary, int maxMembers) {
        return catalog(name, primary, maxMembers, Map.of());
    }

    SecondaryFixture catalog(String name, HostPort primary, int maxMembers, Map<String, MemberGroup> groups) {
        return zone(
                name,
                new SecondaryConfig(
                        List.of(primary),
                        Optional.empty(),
                        /* tls= */ Optional.empty(),
                        true,
                        1 << 20,
                        Duration.ofMinutes(1),
                        maxMembers,
                        groups));
    }

    SecondaryFixture ownZone(String name) {
        configured.add(zoneOf(name, Optional.empty()));
        return this;
    }

    private static ZoneConfig zoneOf(String name, Optional<SecondaryConfig> secondary) {
        List<ServiceConfig> services = List.of();
        return new ZoneConfig(
                name,
                ZoneConfig.SoaConfig.placeholder(),
                List.of("ns." + name),
                ZoneConfig.DEFAULT_NS_TTL,
                Optional.empty(),
                Optional.empty(),
                services,
                Optional.empty(),
                secondary,
                /* update= */ Optional.empty(),
                /* members= */ List.of());
    }

    private DnsConfig raw() {
        return new DnsConfig(List.of(), DnsUdpKind.AUTO, DnsTcpConfig.DEFAULT, configured);
    }

    void commit() {
        try {
            PreparedZones next = zones.prepare(raw());
            served = next.config();
            zones.commit(next);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the secondary zones, and waits for the transfers that begin immediately. */
    SecondaryFixture begin() {
        commit();
        zones.begin();
        time.advance(Duration.ofSeconds(6));
        return this;
    }

    /** Closes the zones, and starts again from their files. */
    void restart() {
        zones.close();
        time.runDue();
        zones = zones();
        changes = 0;
        commit();
    }

    SecondaryZones secondaryZones() {
        return zones;
    }

    /** Returns the configuration with which a zone is served. */
    ZoneConfig served(String zone) {
        return served.zones().stream()
                .filter(each -> each.name().equals(zone))
                .findFirst()
                .orElseThrow();
    }

    /** Number of changes of the served zones. */
    int changes() {
        return changes;
    }

    List<String> servedNames() {
        return served.zones().stream().map(ZoneConfig::name).toList();
    }

    /** Returns the lines of the served zone; empty if it is not served. */
    List<String> lines(String zone) throws IOException {
        Optional<Path> file = served.zones().stream()
                .filter(each -> each.name().equals(zone))
                .findFirst()
                .flatMap(ZoneConfig::file);
        return file.isEmpty() ? List.of() : Files.readAllLines(file.get());
    }

    SecondaryState state(String zone) {
        return zones.states().stream()
                .filter(each -> each.zone().equals(zone))
                .findFirst()
                .orElseThrow();
    }

    List<String> events() {
        return control.timeline().recent().stream()
                .map(event -> event.subject() + " " + event.text())
                .toList();
    }
}
