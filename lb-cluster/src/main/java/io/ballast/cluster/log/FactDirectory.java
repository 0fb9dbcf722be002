package io.ballast.cluster.log;

import io.ballast.cluster.raft.LogFile;
import io.ballast.core.state.StateFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of a node's facts. It contains the last saved state, so that a restarted node can serve without its
 * peers, and, on a voter, the copy of the log. Used by one process, and by one thread at a time.
 */
final class FactDirectory implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FactDirectory.class);
    private static final int MAX_STATE_BYTES = 256 << 20;

    private final Path path;
    private final FileChannel lock;
    private final StateFile state;

    private FactDirectory(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
        this.state = new StateFile(path.resolve("facts.state"), MAX_STATE_BYTES);
    }

    /** @throws IOException if the directory cannot be created or written, or another process uses it */
    static FactDirectory open(Path path) throws IOException {
        Files.createDirectories(
                path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        FileChannel file = FileChannel.open(
                path.resolve("lock"),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            FileLock lock = file.tryLock();
            if (lock != null) {
                return new FactDirectory(path, file);
            }
        } catch (OverlappingFileLockException e) {
            LOG.debug("this process uses {} already", path);
        }
        file.close();
        throw new IOException(path + " is in use by another process");
    }

    Path path() {
        return path;
    }

    /** Whether the node has a copy of the log. */
    boolean hasCopy() {
        return Files.exists(path.resolve(LogFile.NAME));
    }

    /** The last snapshot of the state; empty if there is none or if it is damaged, which is logged. */
    Optional<byte[]> readState() throws IOException {
        Optional<byte[]> bytes = state.read();
        if (bytes.isEmpty()) {
            return bytes;
        }
        byte[] file = bytes.get();
        if (file.length >= Long.BYTES) {
            byte[] snapshot = Arrays.copyOf(file, file.length - Long.BYTES);
            if (Arrays.equals(file, withChecksum(snapshot))) {
                return Optional.of(snapshot);
            }
        }
        LOG.error(
                "cluster=state_damaged file={} effect=\"facts come from the other nodes\" {}",
                state.path(),
                state.moveAside());
        return Optional.empty();
    }

    void writeState(byte[] snapshot) throws IOException {
        state.replace(withChecksum(snapshot));
    }

    private static byte[] withChecksum(byte[] snapshot) {
        CRC32C checksum = new CRC32C();
        checksum.update(snapshot);
        byte[] file = Arrays.copyOf(snapshot, snapshot.length + Long.BYTES);
        for (int i = 0; i < Long.BYTES; i++) {
            file[snapshot.length + i] = (byte) (checksum.getValue() >>> (8 * i));
        }
        return file;
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
