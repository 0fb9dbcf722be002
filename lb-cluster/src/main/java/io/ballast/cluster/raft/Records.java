package io.ballast.cluster.raft;

import io.microraft.MembershipChangeMode;
import io.microraft.RaftEndpoint;
import io.microraft.model.RaftModelFactory;
import io.microraft.model.groupop.UpdateRaftGroupMembersOp;
import io.microraft.model.impl.DefaultRaftModelFactory;
import io.microraft.model.log.BaseLogEntry;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes and reads the parts of messages and of the file: members, entries and snapshots. */
public final class Records {

    public static final RaftModelFactory MODELS = new DefaultRaftModelFactory();

    /** The operation that a new leader appends, which changes nothing. */
    public static final Object NEW_TERM = new Object();

    private static final int COMMAND = 1;
    private static final int MEMBERS = 2;
    private static final int TERM = 3;
    private static final int MAX_BYTES = 4 << 20;
    private static final int MAX_MEMBERS = 1024;
    private static final int MAX_ENTRIES = 1 << 16;

    private Records() {}

    // ---- members

    public static void writeMember(DataOutput out, RaftEndpoint endpoint) throws IOException {
        LogMember member = (LogMember) endpoint;
        out.writeUTF(member.node());
        writeUuid(out, member.copy());
    }

    public static LogMember readMember(DataInput in) throws IOException {
        return new LogMember(in.readUTF(), readUuid(in));
    }

    public static void writeUuid(DataOutput out, UUID id) throws IOException {
        out.writeLong(id.getMostSignificantBits());
        out.writeLong(id.getLeastSignificantBits());
    }

    public static UUID readUuid(DataInput in) throws IOException {
        return new UUID(in.readLong(), in.readLong());
    }

    public static void writeOptionalMember(DataOutput out, @Nullable RaftEndpoint endpoint) throws IOException {
        out.writeBoolean(endpoint != null);
        if (endpoint != null) {
            writeMember(out, endpoint);
        }
    }

    public static @Nullable LogMember readOptionalMember(DataInput in) throws IOException {
        return in.readBoolean() ? readMember(in) : null;
    }

    public static void writeMembers(DataOutput out, Collection<? extends RaftEndpoint> members) throws IOException {
        out.writeInt(members.size());
        for (RaftEndpoint member : members) {
            writeMember(out, member);
        }
    }

    public static Collection<RaftEndpoint> readMembers(DataInput in) throws IOException {
        int count = count(in, MAX_MEMBERS);
        Collection<RaftEndpoint> members = new LinkedHashSet<>();
        for (int i = 0; i < count; i++) {
            members.add(readMember(in));
        }
        return members;
    }

    public static void writeView(DataOutput out, RaftGroupMembersView view) throws IOException {
        out.writeLong(view.getLogIndex());
        writeMembers(out, view.getMembers());
        writeMembers(out, view.getVotingMembers());
    }

    public static RaftGroupMembersView readView(DataInput in) throws IOException {
        return MODELS.createRaftGroupMembersViewBuilder()
                .setLogIndex(in.readLong())
                .setMembers(readMembers(in))
                .setVotingMembers(readMembers(in))
                .build();
    }

    // ---- entries

    public static void writeEntries(DataOutput out, List<LogEntry> entries) throws IOException {
        out.writeInt(entries.size());
        for (LogEntry entry : entries) {
            writeEntry(out, entry);
        }
    }

    public static List<LogEntry> readEntries(DataInput in) throws IOException {
        int count = count(in, MAX_ENTRIES);
        List<LogEntry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(readEntry(in));
        }
        return entries;
    }

    public static void writeEntry(DataOutput out, LogEntry entry) throws IOException {
        writePosition(out, entry);
        Object operation = entry.getOperation();
        if (operation instanceof byte[] command) {
            out.writeByte(COMMAND);
            writeBytes(out, command);
        } else if (operation instanceof UpdateRaftGroupMembersOp change) {
            out.writeByte(MEMBERS);
            writeMembers(out, change.getMembers());
            writeMembers(out, change.getVotingMembers());
            writeMember(out, change.getEndpoint());
            out.writeUTF(change.getMode().name());
        } else {
            out.writeByte(TERM);
        }
    }

    public static LogEntry readEntry(DataInput in) throws IOException {
        return MODELS.createLogEntryBuilder()
                .setIndex(in.readLong())
                .setTerm(in.readInt())
                .setOperation(readOperation(in))
                .build();
    }

    private static Object readOperation(DataInput in) throws IOException {
        int kind = in.readUnsignedByte();
        return switch (kind) {
            case COMMAND -> readBytes(in);
            case MEMBERS ->
                MODELS.createUpdateRaftGroupMembersOpBuilder()
                        .setMembers(readMembers(in))
                        .setVotingMembers(readMembers(in))
                        .setEndpoint(readMember(in))
                        .setMode(readMode(in))
                        .build();
            case TERM -> NEW_TERM;
            default -> throw new IOException("unknown kind of operation: " + kind);
        };
    }

    private static MembershipChangeMode readMode(DataInput in) throws IOException {
        String name = in.readUTF();
        try {
            return MembershipChangeMode.valueOf(name);
        } catch (IllegalArgumentException e) {
            throw new IOException("mode " + name, e);
        }
    }

    public static void writeChunk(DataOutput out, SnapshotChunk chunk) throws IOException {
        writePosition(out, chunk);
        writeBytes(out, (byte[]) chunk.getOperation());
        out.writeInt(chunk.getSnapshotChunkIndex());
        out.writeInt(chunk.getSnapshotChunkCount());
        writeView(out, chunk.getGroupMembersView());
    }

    public static SnapshotChunk readChunk(DataInput in) throws IOException {
        return MODELS.createSnapshotChunkBuilder()
                .setIndex(in.readLong())
                .setTerm(in.readInt())
                .setOperation(readBytes(in))
                .setSnapshotChunkIndex(in.readInt())
                .setSnapshotChunkCount(in.readInt())
                .setGroupMembersView(readView(in))
                .build();
    }

    private static void writePosition(DataOutput out, BaseLogEntry entry) throws IOException {
        out.writeLong(entry.getIndex());
        out.writeInt(entry.getTerm());
    }

    public static void writeBytes(DataOutput out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    public static byte[] readBytes(DataInput in) throws IOException {
        byte[] bytes = new byte[count(in, MAX_BYTES)];
        in.readFully(bytes);
        return bytes;
    }

    private static int count(DataInput in, int most) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > most) {
            throw new IOException("count " + count + " (expected: 0 to " + most + ")");
        }
        return count;
    }
}
