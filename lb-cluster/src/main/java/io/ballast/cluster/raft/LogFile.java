package io.ballast.cluster.raft;

import io.ballast.core.ErrorText;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.persistence.RaftEndpointPersistentState;
import io.microraft.model.persistence.RaftTermPersistentState;
import io.microraft.persistence.RaftStore;
import io.microraft.persistence.RestoredRaftState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Stores the state of MicroRaft that must survive a crash, in one append-only file of records. When a snapshot makes
 * entries unnecessary, a shorter file replaces the file. Used by one thread at a time.
 *
 * <p>After an error, nothing more is written, because the content of the file is unknown; the caller must open the file
 * again.
 */
public final class LogFile implements RaftStore, AutoCloseable {

    /** The name of the file in its directory. */
    public static final String NAME = RecordFile.NAME;

    private final RecordFile file;
    private final LogContent content;
    private final UUID copy;
    private @Nullable IOException failure;

    private LogFile(RecordFile file, LogContent content, UUID copy) {
        this.file = file;
        this.content = content;
        this.copy = copy;
    }

    /**
     * Opens the file in a directory, and creates it if it is missing.
     *
     * @throws DamagedLogException if the content is damaged
     * @throws IOException if the file cannot be read or written
     */
    public static LogFile open(Path directory) throws IOException {
        LogContent content = new LogContent();
        LogRecords reader = new LogRecords(content);
        RecordFile file = RecordFile.open(directory, reader::read);
        try {
            UUID copy = reader.copy();
            if (copy == null) {
                copy = UUID.randomUUID();
                file.append(LogRecords.header(copy));
                file.flush();
            }
            return new LogFile(file, content, copy);
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /** The random number of this copy of the log. */
    public UUID copy() {
        return copy;
    }

    /** The state from which MicroRaft continues; null if this copy has never been used. */
    @Nullable public RestoredRaftState restored() {
        return content.restored();
    }

    /** The size of the file in bytes. */
    public long bytes() {
        return file.bytes();
    }

    /** The first write error; null if all writes have succeeded. */
    @Nullable public IOException failure() {
        return failure;
    }

    @Override
    public void persistAndFlushLocalEndpoint(RaftEndpointPersistentState endpoint) throws IOException {
        content.setEndpoint(endpoint);
        append(LogRecords.endpoint(endpoint));
        flush();
    }

    @Override
    public void persistAndFlushInitialGroupMembers(RaftGroupMembersView members) throws IOException {
        content.setInitialMembers(members);
        append(LogRecords.initialMembers(members));
        flush();
    }

    @Override
    public void persistAndFlushTerm(RaftTermPersistentState term) throws IOException {
        content.setTerm(term);
        append(LogRecords.term(term));
        flush();
    }

    @Override
    public void persistLogEntries(List<LogEntry> entries) throws IOException {
        for (LogEntry entry : entries) {
            append(LogRecords.entry(entry));
            content.add(entry);
        }
    }

    @Override
    public void persistSnapshotChunk(SnapshotChunk chunk) throws IOException {
        append(LogRecords.chunk(chunk));
        content.add(chunk);
    }

    @Override
    public void truncateLogEntriesFrom(long index) throws IOException {
        append(LogRecords.removeFrom(index));
        content.removeFrom(index);
    }

    @Override
    public void truncateLogEntriesUntil(long index) throws IOException {
        content.removeUntil(index);
        write(() -> file.replace(LogRecords.all(copy, content)));
    }

    @Override
    public void deleteSnapshotChunks(long index, int count) throws IOException {
        append(LogRecords.removeSnapshot(index));
        content.removeSnapshot(index);
    }

    @Override
    public void flush() throws IOException {
        write(file::flush);
    }

    private void append(byte[] record) throws IOException {
        write(() -> file.append(record));
    }

    private void write(Write write) throws IOException {
        if (failure != null) {
            throw new IOException("an earlier write failed: " + ErrorText.of(failure), failure);
        }
        try {
            write.run();
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private interface Write {
        void run() throws IOException;
    }
}
