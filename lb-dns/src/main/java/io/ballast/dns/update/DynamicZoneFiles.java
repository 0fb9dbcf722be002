package io.ballast.dns.update;

import io.ballast.core.ErrorText;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zonefile.FileProblems;
import io.ballast.dns.zonefile.FirstRecord;
import io.ballast.dns.zonefile.ZoneFileName;
import io.ballast.dns.zonefile.ZoneFileReader;
import io.ballast.dns.zonefile.ZoneFileWriter;
import io.ballast.dns.zonefile.ZoneJournal;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;

/**
 * The files of a dynamically updated zone. {@code <directory>/<zone>.zone} is the last complete version, {@code
 * .journal} contains the changes since then, and {@code .base} is the configured zone file as it was last read. A
 * change is appended to the journal and synced to disk. When the journal is longer than the zone, the zone is written
 * completely and replaces the previous version atomically. There are no files before the first change.
 *
 * <p>Thread safety: only one thread at a time may use it. Cost of a change: on average, linear in the changed records.
 */
final class DynamicZoneFiles {

    private static final Logger LOG = LoggerFactory.getLogger(DynamicZoneFiles.class);

    /** Allowed length of the journal of a small zone. */
    static final int MIN_JOURNAL_BYTES = 64 << 10;

    private static final long UNKNOWN = -1;

    private final Path directory;
    private final Name apex;
    private final ZoneJournal journal;
    /** End of the valid part of the journal; unknown until it is read. */
    private long journalEnd = UNKNOWN;

    /** The serial of the zone file. */
    private long serial;

    private long fileBytes;
    /** End offset of the journal before the last change; {@link #UNKNOWN} if the zone was written completely. */
    private long previousJournalEnd = UNKNOWN;

    private final Path file;
    private final Path previousFile;
    private final Path base;
    private final Path prepared;
    private final Path preparedBase;

    @FunctionalInterface
    interface Source {
        void writeTo(ZoneDraft.Sink sink) throws IOException;
    }

    DynamicZoneFiles(Path directory, String zone) {
        this.directory = directory;
        this.apex = Names.absolute(zone);
        String name = ZoneFileName.of(zone);
        this.file = directory.resolve(name + ".zone");
        this.journal = ZoneJournal.ofZoneFile(file);
        this.previousFile = directory.resolve(name + ".before");
        this.base = directory.resolve(name + ".base");
        this.prepared = directory.resolve(name + ".prepared");
        this.preparedBase = directory.resolve(name + ".prepared-base");
    }

    /**
     * Returns the current zone file, which another process may own and change; empty if no update has changed
     * it yet.
     */
    Optional<Path> current() {
        if (Files.exists(file)) {
            return Optional.of(file);
        }
        return Files.exists(previousFile)
                ? Optional.of(previousFile)
                : Optional.empty(); // a write is in progress, or the process ended during one
    }

    /**
     * Stores a new version, either as a difference or as the whole zone. {@link #undo} can restore the previous
     * version.
     */
    void write(ZoneDraft next) throws IOException {
        if (!mayAppend()) {
            write(next::forEach);
            return;
        }
        long end = journal.append(serial, journalEnd, next.changedRecords());
        previousJournalEnd = journalEnd;
        journalEnd = end;
    }

    private boolean mayAppend() throws IOException {
        if (!Files.exists(file) || Files.exists(previousFile)) {
            return false;
        }
        if (journalEnd == UNKNOWN) {
            Optional<SOARecord> written = FirstRecord.soa(file, apex);
            if (written.isEmpty()) {
                return false;
            }
            serial = written.get().getSerial();
            fileBytes = Files.size(file);
            journalEnd = journal.read(serial).end();
        }
        return journalEnd <= Math.max(MIN_JOURNAL_BYTES, fileBytes);
    }

    /** Stores a complete new version of the zone. The previous version stays available for {@link #undo}. */
    void write(Source version) throws IOException {
        previousJournalEnd = UNKNOWN;
        journalEnd = UNKNOWN;
        write(prepared, version);
        if (Files.exists(file)) {
            move(file, previousFile);
        }
        move(prepared, file);
    }

    /** Restores the previous version of the zone, because the latest version cannot be served. */
    void undo() throws IOException {
        if (previousJournalEnd != UNKNOWN) {
            journal.truncate(previousJournalEnd);
            journalEnd = previousJournalEnd;
            previousJournalEnd = UNKNOWN;
            return;
        }
        journalEnd = UNKNOWN;
        if (Files.exists(previousFile)) {
            move(previousFile, file);
        } else {
            Files.deleteIfExists(file);
        }
    }

    /**
     * Deletes obsolete files after the latest version was activated. If a file cannot be deleted, a later version
     * overwrites it.
     */
    void deleteObsoleteFiles() {
        boolean isAppended = previousJournalEnd != UNKNOWN;
        previousJournalEnd = UNKNOWN;
        if (!isAppended) {
            delete(previousFile);
            delete(journal.file()); // this is the journal of the previous version
        }
    }

    private static void delete(Path left) {
        try {
            Files.deleteIfExists(left);
        } catch (IOException e) {
            LOG.warn("file={} msg=\"cannot delete the file\" reason=\"{}\"", left, ErrorText.of(e));
        }
    }

    /** Saves the content of the configured zone file before the first update. */
    void writeBase(Source own) throws IOException {
        write(preparedBase, own);
        move(preparedBase, base);
    }

    /**
     * Writes the new version of the zone and the content of the configured zone file ({@code own}) to temporary
     * files next to the current files. Returns the path of the new version's temporary file.
     */
    Path prepare(Source version, Source own) throws IOException {
        write(prepared, version);
        write(preparedBase, own);
        return prepared;
    }

    /** Replaces the zone's current files by the prepared files. */
    void activatePrepared() throws IOException {
        // In this order, repeating the steps after a crash between them gives the same result.
        move(prepared, file);
        move(preparedBase, base);
        journalEnd = UNKNOWN;
        delete(journal.file()); // the journal has the serial of the previous version, so it no longer applies
    }

    /** Renames a file durably: after this method has returned, the new name survives a power failure. */
    private void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(/* metaData= */ true);
        }
    }

    private void write(Path to, Source records) throws IOException {
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try (ZoneFileWriter writer = ZoneFileWriter.open(to)) {
            records.writeTo(writer::write);
            writer.finish();
        }
    }

    /** Returns the records of the configured zone file as it was last read. */
    List<Record> base() throws IOException {
        return read(base);
    }

    /** Reads the records of the current zone file and applies the changes of the journal. */
    List<Record> readCurrent(Path current) throws IOException {
        Map<Name, List<Record>> changed = journal.changes(current, apex).names();
        List<Record> records = read(current);
        records.removeIf(record -> changed.containsKey(record.getName()));
        changed.values().forEach(records::addAll);
        return records;
    }

    /** @throws IOException if the file cannot be read or is invalid; the message contains the position */
    List<Record> read(Path from) throws IOException {
        List<Record> records = new ArrayList<>();
        FileProblems problems = new FileProblems();
        ZoneFileReader.read(from, apex, (record, place) -> records.add(record), problems);
        if (problems.hasErrors()) {
            throw new IOException(problems.errors().get(0).text());
        }
        return records;
    }
}
