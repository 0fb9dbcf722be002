package io.ballast.cluster.raft;

import static io.ballast.cluster.raft.Records.MODELS;

import io.ballast.core.ErrorText;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.persistence.RaftEndpointPersistentState;
import io.microraft.model.persistence.RaftTermPersistentState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The format of the records in a log file: a kind, followed by the data of this kind. An instance reads records into a
 * {@link LogContent}.
 */
final class LogRecords {

    private static final int HEADER = 1;
    private static final int ENDPOINT = 2;
    private static final int INITIAL_MEMBERS = 3;
    private static final int TERM = 4;
    private static final int ENTRY = 5;
    private static final int CHUNK = 6;
    private static final int REMOVE_FROM = 7;
    private static final int REMOVE_SNAPSHOT = 8;
    private static final int VERSION = 1;

    private final LogContent content;
    private @Nullable UUID copy;

    LogRecords(LogContent content) {
        this.content = content;
    }

    /** The number of the copy; null if the file was empty. */
    @Nullable UUID copy() {
        return copy;
    }

    void read(byte[] record) throws DamagedLogException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(record))) {
            read(in.readUnsignedByte(), in);
        } catch (EOFException e) {
            throw new DamagedLogException("a record of " + record.length + " bytes is too short");
        } catch (DamagedLogException e) {
            throw e;
        } catch (IOException e) {
            throw new DamagedLogException(ErrorText.of(e));
        }
    }

    private void read(int kind, DataInputStream in) throws IOException {
        if (copy == null && kind != HEADER) {
            throw new DamagedLogException("the first record is not a header");
        }
        switch (kind) {
            case HEADER -> readHeader(in);
            case ENDPOINT ->
                content.setEndpoint(MODELS.createRaftEndpointPersistentStateBuilder()
                        .setLocalEndpoint(Records.readMember(in))
                        .setVoting(in.readBoolean())
                        .build());
            case INITIAL_MEMBERS -> content.setInitialMembers(Records.readView(in));
            case TERM ->
                content.setTerm(MODELS.createRaftTermPersistentStateBuilder()
                        .setTerm(in.readInt())
                        .setVotedFor(Records.readOptionalMember(in))
                        .build());
            case ENTRY -> content.add(Records.readEntry(in));
            case CHUNK -> content.add(Records.readChunk(in));
            case REMOVE_FROM -> content.removeFrom(in.readLong());
            case REMOVE_SNAPSHOT -> content.removeSnapshot(in.readLong());
            default -> throw new DamagedLogException("unknown kind of record: " + kind);
        }
    }

    private void readHeader(DataInputStream in) throws IOException {
        int version = in.readUnsignedByte();
        if (version != VERSION) {
            throw new IOException("unknown version of the file: " + version + " (expected: " + VERSION + ")");
        }
        copy = new UUID(in.readLong(), in.readLong());
    }

    static byte[] header(UUID copy) throws IOException {
        return record(HEADER, out -> {
            out.writeByte(VERSION);
            out.writeLong(copy.getMostSignificantBits());
            out.writeLong(copy.getLeastSignificantBits());
        });
    }

    static byte[] endpoint(RaftEndpointPersistentState endpoint) throws IOException {
        return record(ENDPOINT, out -> {
            Records.writeMember(out, endpoint.getLocalEndpoint());
            out.writeBoolean(endpoint.isVoting());
        });
    }

    static byte[] initialMembers(RaftGroupMembersView members) throws IOException {
        return record(INITIAL_MEMBERS, out -> Records.writeView(out, members));
    }

    static byte[] term(RaftTermPersistentState term) throws IOException {
        return record(TERM, out -> {
            out.writeInt(term.getTerm());
            Records.writeOptionalMember(out, term.getVotedFor());
        });
    }

    static byte[] entry(LogEntry entry) throws IOException {
        return record(ENTRY, out -> Records.writeEntry(out, entry));
    }

    static byte[] chunk(SnapshotChunk chunk) throws IOException {
        return record(CHUNK, out -> Records.writeChunk(out, chunk));
    }

    static byte[] removeFrom(long index) throws IOException {
        return record(REMOVE_FROM, out -> out.writeLong(index));
    }

    static byte[] removeSnapshot(long index) throws IOException {
        return record(REMOVE_SNAPSHOT, out -> out.writeLong(index));
    }

    /** Returns the records of a new file with this content. */
    static List<byte[]> all(UUID copy, LogContent content) throws IOException {
        List<byte[]> records = new ArrayList<>();
        records.add(header(copy));
        if (content.endpoint() != null) {
            records.add(endpoint(content.endpoint()));
        }
        if (content.initialMembers() != null) {
            records.add(initialMembers(content.initialMembers()));
        }
        if (content.term() != null) {
            records.add(term(content.term()));
        }
        for (SnapshotChunk chunk : content.chunks()) {
            records.add(chunk(chunk));
        }
        for (LogEntry entry : content.entries()) {
            records.add(entry(entry));
        }
        return records;
    }

    private static byte[] record(int kind, Content content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(kind);
        content.write(out);
        return bytes.toByteArray();
    }

    private interface Content {
        void write(DataOutputStream out) throws IOException;
    }
}
