package io.ballast.dns.secondary;

import io.ballast.core.ErrorText;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zonefile.FirstRecord;
import io.ballast.dns.zonefile.ZoneFileName;
import io.ballast.dns.zonefile.ZoneFileWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.Name;
import org.xbill.DNS.SOARecord;

/**
 * The files of one secondary zone: {@code <directory>/<zone>.zone} with its records, and next to it {@code
 * .state} with the time of the last success and the zone's label in its catalog. A new version replaces the
 * previous version atomically.
 *
 * <p>Thread safety: only one thread at a time may use it.
 */
final class ZoneStore {

    private static final Logger LOG = LoggerFactory.getLogger(ZoneStore.class);

    private final Path directory;
    private final WritePermit permit;
    private final Name apex;
    private final Path file;
    private final Path state;
    private final Path nextFile;

    /** The time of the last successful refresh, and the zone's label in its catalog. */
    record Success(Instant at, String label) {}

    /** @param permit permission to change files, shared by all stores of the directory */
    ZoneStore(Path directory, String zone, WritePermit permit) {
        this.directory = directory;
        this.permit = permit;
        this.apex = Names.absolute(zone);
        String name = ZoneFileName.of(zone);
        this.file = directory.resolve(name + ".zone");
        this.state = directory.resolve(name + ".state");
        this.nextFile = directory.resolve(name + ".new");
    }

    Path file() {
        return file;
    }

    /** The file of the next version. */
    Path nextFile() {
        return nextFile;
    }

    /** Starts to write the next version. Discards an incomplete version from an earlier transfer. */
    ZoneFileWriter open() throws IOException {
        AtomicReference<ZoneFileWriter> opened = new AtomicReference<>();
        permit.run(() -> {
            createDirectory();
            opened.set(ZoneFileWriter.open(nextFile));
        });
        return Objects.requireNonNull(opened.get());
    }

    private void createDirectory() throws IOException {
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /** The SOA record of the stored version, which is its first line; empty if there is none. */
    Optional<SOARecord> soa() throws IOException {
        return FirstRecord.soa(file, apex);
    }

    /** Time at which the zone was last known to be current; if unknown, the modification time of its file. */
    Success success() throws IOException {
        try {
            List<String> lines = Files.readAllLines(state, StandardCharsets.UTF_8);
            if (lines.size() == 2) {
                return new Success(Instant.parse(lines.get(0)), lines.get(1));
            }
        } catch (IOException | DateTimeException e) {
            // The time of the last success is unknown. Use the file's modification time, which is slightly earlier.
        }
        return new Success(Files.getLastModifiedTime(file).toInstant(), "");
    }

    /** Replaces the previous version by {@link #nextFile}. */
    void activateNextFile() throws IOException {
        permit.run(
                () -> Files.move(nextFile, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING));
    }

    /** Stores the time of a successful refresh and the zone's catalog label. */
    void confirm(Success success) throws IOException {
        permit.run(() -> write(success));
    }

    private void write(Success success) throws IOException {
        createDirectory();
        Path written = state.resolveSibling(state.getFileName() + ".new");
        Files.deleteIfExists(written);
        try (FileChannel channel = FileChannel.open(
                written,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            String text = success.at() + "\n" + success.label() + "\n";
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
        Files.move(written, state, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Deletes the files of an incomplete transfer. */
    void deleteNextFile() {
        deleteQuietly(nextFile);
    }

    /** Deletes all files of the zone. */
    void delete() {
        deleteQuietly(file);
        deleteQuietly(state);
        deleteQuietly(nextFile);
    }

    private void deleteQuietly(Path path) {
        try {
            permit.run(() -> Files.deleteIfExists(path));
        } catch (UnusableException e) {
            LOG.debug("the file is left to another process: {}", path, e);
        } catch (IOException e) {
            LOG.warn("file={} msg=\"cannot delete the file\" reason=\"{}\"", path, ErrorText.of(e));
        }
    }
}
