package io.ballast.dns.secondary;

import io.ballast.core.ErrorText;
import io.ballast.core.config.HostPort;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.zone.SecondaryConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.secondary.transfer.PrimaryConnection;
import io.ballast.dns.secondary.transfer.PrimarySecurity;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.source.ZoneFindings;
import io.ballast.dns.zonefile.FileProblems;
import io.ballast.dns.zonefile.ZoneFileReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Serial;
import org.xbill.DNS.Type;

/**
 * Queries the primaries of a zone in turn for a current version, and transfers a newer version: incrementally
 * if possible, otherwise as a whole. A transfer changes nothing if it is incomplete, is inconsistent,
 * contains names of other zones, or cannot be served.
 *
 * <p>Confined to the transfer thread.
 */
final class Refresh {

    private static final Logger LOG = LoggerFactory.getLogger(Refresh.class);

    private final ZoneConfig zone;
    private final SecondaryConfig secondary;
    private final Name apex;
    private final PrimarySecurity security;
    private final DnsConfig dnsConfig;
    private final ZoneStore store;
    private final @Nullable ZoneVersion currentVersion;
    private boolean isIncremental;

    /**
     * The result of a refresh.
     *
     * @param primary the primary that returned a version; otherwise the last primary that was queried
     * @param contents the newer version; null if there is none
     * @param isIncremental whether the newer version was transferred incrementally
     * @param problem the reason why no primary returned a current version; empty on success
     */
    record Outcome(HostPort primary, @Nullable ZoneVersion contents, boolean isIncremental, String problem) {

        static Outcome failed(HostPort primary, String problem) {
            return new Outcome(primary, /* contents= */ null, /* isIncremental= */ false, problem);
        }

        boolean isSuccess() {
            return problem.isEmpty();
        }
    }

    /**
     * Creates the refresh of a zone.
     *
     * @param around the DNS configuration that contains the zone
     * @param present the current version; null to accept any serial
     */
    Refresh(
            ZoneConfig zone,
            SecondaryConfig secondary,
            PrimarySecurity security,
            DnsConfig around,
            ZoneStore store,
            @Nullable ZoneVersion present) {
        this.zone = zone;
        this.secondary = secondary;
        this.apex = Names.absolute(zone.name());
        this.security = security;
        this.dnsConfig = around;
        this.store = store;
        this.currentVersion = present;
    }

    Outcome run() {
        List<String> problems = new ArrayList<>();
        HostPort last = secondary.from().get(0);
        for (HostPort primary : secondary.from()) {
            last = primary;
            try {
                ZoneVersion newer = refreshFrom(primary);
                return new Outcome(primary, newer, isIncremental, /* problem= */ "");
            } catch (IOException e) {
                problems.add(primary + ": " + ErrorText.of(e));
            } finally {
                store.deleteNextFile();
            }
        }
        return Outcome.failed(last, String.join("; ", problems));
    }

    private @Nullable ZoneVersion refreshFrom(HostPort primary) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(primary.host()), primary.port());
        try (PrimaryConnection connection = open(address)) {
            SOARecord offered = connection.soa();
            if (currentVersion != null) {
                int newer = Serial.compare(offered.getSerial(), currentVersion.serial());
                if (newer < 0) {
                    throw new IOException("the primary has serial " + offered.getSerial()
                            + ", older than the stored serial " + currentVersion.serial());
                }
                ZoneVersion differing = newer == 0 ? null : transferIncrementally(connection, currentVersion);
                isIncremental = differing != null;
                if (newer == 0 || isIncremental) {
                    return differing;
                }
            }
        }
        // Open a new connection, because a previous query may have left the old one in the middle of a response.
        try (PrimaryConnection connection = open(address)) {
            return transferWholeZone(connection);
        }
    }

    private PrimaryConnection open(InetSocketAddress address) throws IOException {
        return PrimaryConnection.open(address, apex, security, secondary.timeout());
    }

    /** Transfers the newer version incrementally; returns null if the whole zone must be transferred. */
    private @Nullable ZoneVersion transferIncrementally(PrimaryConnection connection, ZoneVersion from)
            throws IOException {
        try (IncomingZone incoming = new IncomingZone(store, from, isSignedHere(), secondary.maxSizeBytes())) {
            return connection.transfer(from.soa(), secondary.maxSizeBytes(), incoming)
                    ? activate(incoming.finish())
                    : null;
        } catch (IOException e) {
            // A transfer of the whole zone may still succeed: for some primaries, and for middleboxes in front of them,
            // only IXFR fails.
            LOG.info(
                    "zone={} serial={} msg=\"no incremental transfer possible; requesting the whole zone\" reason=\"{}\"",
                    zone.name(),
                    from.serial(),
                    ErrorText.of(e));
            return null;
        }
    }

    private ZoneVersion transferWholeZone(PrimaryConnection connection) throws IOException {
        try (IncomingZone incoming =
                new IncomingZone(store, /* from= */ null, isSignedHere(), secondary.maxSizeBytes())) {
            connection.transfer(/* present= */ null, secondary.maxSizeBytes(), incoming);
            return activate(incoming.finish());
        }
    }

    private boolean isSignedHere() {
        return zone.dnssec().isPresent() && !secondary.catalog();
    }

    /** Activates the transferred version if it can be served. */
    private ZoneVersion activate(SOARecord soa) throws IOException {
        Path fresh = store.nextFile();
        List<MemberZone> members = secondary.catalog() ? members(fresh, apex, secondary.maxMembers()) : List.of();
        if (!secondary.catalog()) {
            ZoneFindings findings = CompiledZones.checkZone(dnsConfig.withZones(List.of(withFile(fresh))));
            if (!findings.errors().isEmpty()) {
                throw new UnusableException(findings.errors().get(0).message());
            }
        }
        store.activateNextFile();
        return new ZoneVersion(soa, store.file(), members);
    }

    private ZoneConfig withFile(Path fresh) {
        return new ZoneConfig(
                zone.name(),
                zone.soa(),
                zone.nameServers(),
                zone.nsTtl(),
                Optional.of(fresh),
                zone.dnssec(),
                zone.services());
    }

    /** Returns the members that are listed in the file of a catalog zone. */
    static List<MemberZone> members(Path file, Name apex, int max) throws IOException {
        List<Record> records = new ArrayList<>();
        FileProblems problems = new FileProblems();
        ZoneFileReader.read(
                file,
                apex,
                (record, place) -> {
                    if (record.getType() == Type.PTR || record.getType() == Type.TXT) {
                        records.add(record);
                    }
                },
                problems);
        if (problems.hasErrors()) {
            throw new UnusableException(problems.errors().get(0).text());
        }
        CatalogReader catalog = new CatalogReader(apex, max);
        for (Record record : records) {
            catalog.read(record);
        }
        return catalog.members();
    }
}
