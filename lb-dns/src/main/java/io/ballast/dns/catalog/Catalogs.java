package io.ballast.dns.catalog;

import io.ballast.core.ErrorText;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zonefile.FileProblems;
import io.ballast.dns.zonefile.ZoneFileName;
import io.ballast.dns.zonefile.ZoneFileReader;
import io.ballast.dns.zonefile.ZoneFileWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;

/**
 * Generates catalog zones from the configuration. The catalog zones are written to zone files and served like any other
 * zone. The serial increases when the members change; the last serial is read from the existing file.
 *
 * <p>Thread safety: used by one thread at a time.
 */
public final class Catalogs {

    private static final Logger LOG = LoggerFactory.getLogger(Catalogs.class);

    private final Path directory;

    /** @param directory the directory for catalog zone files; it must not be used for other files */
    public Catalogs(Path directory) {
        this.directory = directory;
    }

    /**
     * Writes the catalog zone files, and returns a configuration that refers to them.
     *
     * @throws IOException if a file cannot be written; the message names the file
     */
    public DnsConfig prepare(DnsConfig config) throws IOException {
        if (config.zones().stream().allMatch(zone -> zone.members().isEmpty())) {
            return config;
        }
        List<ZoneConfig> zones = new ArrayList<>();
        for (ZoneConfig zone : config.zones()) {
            zones.add(zone.members().isEmpty() ? zone : zone.withFile(Optional.of(file(zone))));
        }
        return config.withZones(zones);
    }

    private Path file(ZoneConfig catalog) throws IOException {
        Path file = directory.resolve(ZoneFileName.of(catalog.name()) + ".zone");
        List<Record> made = read(file, catalog);
        Optional<Long> last = made.stream()
                .filter(SOARecord.class::isInstance)
                .map(soa -> ((SOARecord) soa).getSerial())
                .findFirst();
        long first = catalog.soa().serial();
        if (last.isPresent() && new HashSet<>(made).equals(new HashSet<>(CatalogRecords.of(catalog, last.get())))) {
            return file;
        }
        long serial = last.map(known -> later(known, first)).orElse(first);
        try {
            write(file, CatalogRecords.of(catalog, serial));
        } catch (IOException e) {
            throw new IOException("zone " + catalog.name() + ": cannot write " + file + ": " + ErrorText.reason(e), e);
        }
        LOG.info(
                "zone={} serial={} members={} msg=\"the catalog zone was generated\"",
                catalog.name(),
                serial,
                catalog.members().size());
        return file;
    }

    private static long later(long known, long first) {
        long next = (known + 1) & 0xffff_ffffL;
        return (int) (first - next) > 0 ? first : next;
    }

    /** Returns the records that were generated last; empty if there are none, or if the file cannot be read. */
    private static List<Record> read(Path file, ZoneConfig catalog) {
        List<Record> records = new ArrayList<>();
        if (Files.exists(file)) {
            FileProblems problems = new FileProblems();
            ZoneFileReader.read(file, Names.absolute(catalog.name()), (record, place) -> records.add(record), problems);
            if (problems.hasErrors()) {
                LOG.warn(
                        "zone={} msg=\"regenerating the catalog zone\" reason=\"{}\"",
                        catalog.name(),
                        problems.errors().get(0).text());
            }
        }
        return records;
    }

    private void write(Path file, List<Record> records) throws IOException {
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (ZoneFileWriter writer = ZoneFileWriter.open(fresh)) {
            for (Record record : records) {
                writer.write(record);
            }
            writer.finish();
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
