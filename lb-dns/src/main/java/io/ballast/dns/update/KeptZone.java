package io.ballast.dns.update;

import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zonefile.FileProblems;
import io.ballast.dns.zonefile.ZoneFileName;
import io.ballast.dns.zonefile.ZoneFileReader;
import io.ballast.dns.zonefile.ZoneFileWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;

/**
 * The files of a zone that is changed by messages: {@code <directory>/<zone>.zone} is the zone as it is, {@code .base} the zone's own
 * file as it was when it was looked at last. Each version is written whole, brought to disk, and takes the place of the one before at once;
 * there is none before the first change.
 *
 * <p>Thread safety: one thread at a time.
 */
final class KeptZone {

    private static final Logger LOG = LoggerFactory.getLogger(KeptZone.class);

    private final Path directory;
    private final Name apex;
    private final Path file;
    private final Path before;
    private final Path base;
    private final Path prepared;
    private final Path preparedBase;

    @FunctionalInterface
    interface Source {
        void giveTo(Draft.Sink sink) throws IOException;
    }

    KeptZone(Path directory, String zone) {
        this.directory = directory;
        this.apex = Names.absolute(zone);
        String name = ZoneFileName.of(zone);
        this.file = directory.resolve(name + ".zone");
        this.before = directory.resolve(name + ".before");
        this.base = directory.resolve(name + ".base");
        this.prepared = directory.resolve(name + ".prepared");
        this.preparedBase = directory.resolve(name + ".prepared-base");
    }

    /** The zone as it is, which another process may have and change; empty if no message has changed it yet. */
    Optional<Path> current() {
        if (Files.exists(file)) {
            return Optional.of(file);
        }
        return Files.exists(before)
                ? Optional.of(before)
                : Optional.empty(); // amid a change, or the process ended there
    }

    /** Keeps another version, whose predecessor is still there for {@link #undo}. */
    void write(Source version) throws IOException {
        write(prepared, version);
        if (Files.exists(file)) {
            move(file, before);
        }
        move(prepared, file);
    }

    /** The last version cannot be served: the one before is the zone again. */
    void undo() throws IOException {
        if (Files.exists(before)) {
            move(before, file);
        } else {
            Files.deleteIfExists(file);
        }
    }

    /** The last version is served. What cannot be deleted is replaced by the next one. */
    void settle() {
        try {
            Files.deleteIfExists(before);
        } catch (IOException e) {
            LOG.warn("file={} msg=\"it cannot be deleted\" reason=\"{}\"", before, e.toString());
        }
    }

    /** Keeps what the zone's own file says, before the first change. */
    void writeBase(Source own) throws IOException {
        write(preparedBase, own);
        move(preparedBase, base);
    }

    /** Writes another version, and what its own file says, beside those that are there; returns where the version is. */
    Path prepare(Source version, Source own) throws IOException {
        write(prepared, version);
        write(preparedBase, own);
        return prepared;
    }

    /** What was prepared is the zone. */
    void takePrepared() throws IOException {
        // In this order: what is done again after an end between the two comes to the same.
        move(prepared, file);
        move(preparedBase, base);
    }

    /** Gives a file another name, also if the power fails once this has returned. */
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
            records.giveTo(writer::write);
            writer.finish();
        }
    }

    /** What the zone's own file said when it was looked at last. */
    List<Record> base() throws IOException {
        return read(base);
    }

    /** @throws IOException if the file cannot be read, or is not right; the message says where */
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
