package io.ballast.cluster.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of records. A record has a header of 12 bytes: its length, a checksum of the length, and a checksum of the
 * content (both CRC32C). Used by one thread at a time, and by one process.
 */
final class RecordFile implements AutoCloseable {

    static final String NAME = "facts.log";

    private static final Logger LOG = LoggerFactory.getLogger(RecordFile.class);
    private static final int HEAD_BYTES = 12;
    private static final int MAX_RECORD_BYTES = 16 << 20;

    private final Path directory;
    private FileChannel channel;

    private RecordFile(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * Opens the file in an existing directory, or creates it, and reads all records. An incomplete record at the end,
     * as left by a crash, is removed; it was never acknowledged to another node.
     *
     * @throws DamagedLogException if the checksum of a complete record is wrong, or the reader rejects a record
     */
    static RecordFile open(Path directory, RecordReader reader) throws IOException {
        FileChannel channel = create(directory.resolve(NAME));
        try {
            read(channel, reader);
            return new RecordFile(directory, channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static FileChannel create(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    private static void read(FileChannel channel, RecordReader reader) throws IOException {
        long position = 0;
        ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
        while (channel.size() - position >= HEAD_BYTES) {
            readFully(channel, head.clear(), position);
            int length = head.getInt();
            int lengthChecksum = head.getInt();
            int checksum = head.getInt();
            if (checksum(length) != lengthChecksum || length <= 0 || length > MAX_RECORD_BYTES) {
                throw new DamagedLogException("at byte " + position + ": the length of a record is wrong");
            }
            if (channel.size() - position - HEAD_BYTES < length) {
                break;
            }
            ByteBuffer record = ByteBuffer.allocate(length);
            readFully(channel, record, position + HEAD_BYTES);
            if (checksum(record.array()) != checksum) {
                throw new DamagedLogException("at byte " + position + ": the checksum of a record is wrong");
            }
            reader.read(record.array());
            position += HEAD_BYTES + length;
        }
        if (position < channel.size()) {
            LOG.warn("cluster=log_truncated bytes={} reason=\"incomplete record\"", channel.size() - position);
            channel.truncate(position);
        }
        channel.position(position);
    }

    private static void readFully(FileChannel channel, ByteBuffer buffer, long position) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, position + buffer.position()) < 0) {
                throw new IOException("the file became shorter while it was read");
            }
        }
        buffer.flip();
    }

    private static int checksum(int length) {
        return checksum(ByteBuffer.allocate(Integer.BYTES).putInt(length).array());
    }

    private static int checksum(byte[] record) {
        CRC32C checksum = new CRC32C();
        checksum.update(record);
        return (int) checksum.getValue();
    }

    long bytes() {
        try {
            return channel.position();
        } catch (IOException e) {
            return 0;
        }
    }

    void append(byte[] record) throws IOException {
        append(channel, record);
    }

    private static void append(FileChannel channel, byte[] record) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(HEAD_BYTES + record.length);
        buffer.putInt(record.length)
                .putInt(checksum(record.length))
                .putInt(checksum(record))
                .put(record)
                .flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /** Waits until all records are on disk. */
    void flush() throws IOException {
        channel.force(/* metaData= */ false);
    }

    /** Replaces all records. After a crash, the file contains either all old or all new records. */
    void replace(List<byte[]> records) throws IOException {
        Path draft = directory.resolve(NAME + ".new");
        Files.deleteIfExists(draft);
        FileChannel replacement = create(draft);
        try {
            for (byte[] record : records) {
                append(replacement, record);
            }
            replacement.force(/* metaData= */ true);
            Files.move(draft, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
            flushDirectory();
        } catch (IOException e) {
            replacement.close();
            throw e;
        }
        channel.close();
        channel = replacement;
    }

    private void flushDirectory() throws IOException {
        try (FileChannel handle = FileChannel.open(directory, StandardOpenOption.READ)) {
            handle.force(/* metaData= */ true);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** Reads one record. */
    interface RecordReader {
        void read(byte[] record) throws IOException;
    }
}
