package io.ballast.cluster.log;

import io.ballast.cluster.raft.LogMember;
import io.ballast.cluster.raft.Records;
import io.microraft.RaftEndpoint;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The message in which a node reports the status of its copy of the log to all other nodes. Immutable.
 *
 * @param copy this node's copy; null if it has none
 * @param initialMembers the initial members of the copy's group; empty if the copy does not belong to a group yet
 * @param applied the position up to which the node has applied all commands
 * @param membership the newest members known to the node's copy; null without a group
 * @param term the term of the leader
 * @param leader the name of the leader; empty if it is not known
 * @param servesClients false for a witness
 */
record LogStatus(
        @Nullable LogMember copy,
        List<LogMember> initialMembers,
        long applied,
        @Nullable GroupMembers membership,
        int term,
        String leader,
        boolean servesClients) {

    LogStatus {
        initialMembers = List.copyOf(initialMembers);
    }

    boolean hasGroup() {
        return !initialMembers.isEmpty();
    }

    /** Whether the node's copy is a member of its group, so that the node receives all committed commands. */
    boolean isMember() {
        return copy != null && membership != null && membership.members().contains(copy);
    }

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            Records.writeOptionalMember(out, copy);
            Records.writeMembers(out, initialMembers);
            out.writeLong(applied);
            out.writeBoolean(membership != null);
            if (membership != null) {
                out.writeLong(membership.index());
                Records.writeMembers(out, membership.members());
                Records.writeMembers(out, membership.voters());
            }
            out.writeInt(term);
            out.writeUTF(leader);
            out.writeBoolean(servesClients);
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    /** @throws IOException if the bytes are not a status */
    static LogStatus decode(byte[] message) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(message));
        return new LogStatus(
                Records.readOptionalMember(in),
                members(Records.readMembers(in)),
                in.readLong(),
                in.readBoolean()
                        ? new GroupMembers(
                                in.readLong(), members(Records.readMembers(in)), members(Records.readMembers(in)))
                        : null,
                in.readInt(),
                in.readUTF(),
                in.available() == 0 || in.readBoolean()); // earlier versions had no witnesses
    }

    private static List<LogMember> members(Collection<RaftEndpoint> endpoints) {
        return endpoints.stream().map(LogMember.class::cast).toList();
    }
}
