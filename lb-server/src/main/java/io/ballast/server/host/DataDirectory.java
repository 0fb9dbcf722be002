package io.ballast.server.host;

import io.ballast.core.ErrorText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data directory, locked by one process at a time, because two processes would overwrite each other's
 * keys. The system releases the lock when the process ends. Commands that change keys while another process
 * runs do not take the lock.
 */
public final class DataDirectory implements AutoCloseable {

    static final String LOCK_FILE = "process.lock";

    private static final String OVERRIDES_LOCK_FILE = "operator.lock";

    private static final String BACKENDS_LOCK_FILE = "backends.lock";

    private static final String CERTIFICATES_LOCK_FILE = "acme.lock";

    private static final String AGENTS_LOCK_FILE = "agents.lock";

    private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);

    private final @Nullable FileChannel channel;

    private DataDirectory(@Nullable FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Locks the directory, and creates it if it is missing. A directory that cannot be written or locked is used
     * without a lock.
     *
     * @throws IOException if another process has locked the directory; the message names the process
     */
    public static DataDirectory acquire(Path directory) throws IOException {
        return acquire(directory, LOCK_FILE, "signs zones");
    }

    /**
     * Like {@link #acquire}, but locks only operators' overrides. A process that needs only the overrides does
     * not lock the keys.
     */
    public static DataDirectory acquireOverrides(Path directory) throws IOException {
        return acquire(directory, OVERRIDES_LOCK_FILE, "stores operators' overrides");
    }

    /** Like {@link #acquire}, but locks only the file of backend edits. */
    public static DataDirectory acquireBackends(Path directory) throws IOException {
        return acquire(directory, BACKENDS_LOCK_FILE, "stores operators' changes to backends");
    }

    /** Like {@link #acquire}, but locks only the certificates that are ordered by ACME. */
    public static DataDirectory acquireCertificates(Path directory) throws IOException {
        return acquire(directory, CERTIFICATES_LOCK_FILE, "orders certificates");
    }

    /** Like {@link #acquire}, but locks only the agents that report to this node. */
    public static DataDirectory acquireAgents(Path directory) throws IOException {
        return acquire(directory, AGENTS_LOCK_FILE, "stores agents");
    }

    private static DataDirectory acquire(Path directory, String file, String purpose) throws IOException {
        FileChannel channel;
        FileLock lock;
        try {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            channel = FileChannel.open(
                    directory.resolve(file),
                    Set.of(
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            LinkOption.NOFOLLOW_LINKS),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (IOException e) {
            return withoutLock(directory, e);
        }
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        } catch (IOException e) {
            channel.close();
            return withoutLock(directory, e);
        }
        if (lock == null) {
            String owner = readProcessId(channel);
            channel.close();
            throw new IOException("data_dir " + directory.toAbsolutePath().normalize() + ": in use by "
                    + (owner.isEmpty() ? "another process" : "process " + owner)
                    + " (expected: a separate directory for each process that " + purpose + ")");
        }
        writeProcessId(channel, ProcessHandle.current().pid());
        return new DataDirectory(channel);
    }

    private static DataDirectory withoutLock(Path directory, IOException why) {
        LOG.warn(
                "data_dir={} msg=\"cannot lock the data directory; make sure that no other process uses it\" reason=\"{}\"",
                directory,
                ErrorText.of(why));
        return new DataDirectory(null);
    }

    private static String readProcessId(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(32);
        int length = channel.read(bytes, 0);
        return length <= 0 ? "" : new String(bytes.array(), 0, length, StandardCharsets.US_ASCII).trim();
    }

    /**
     * Writes the process id into the lock file, so that error messages of other processes can name this process.
     * Ignores write errors, such as a full disk.
     */
    private static void writeProcessId(FileChannel channel, long process) {
        try {
            channel.truncate(0);
            channel.write(ByteBuffer.wrap((process + "\n").getBytes(StandardCharsets.US_ASCII)), 0);
        } catch (IOException e) {
            LOG.debug("lock", e);
        }
    }

    /** Releases the lock. */
    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
