package io.ballast.cluster.log;

import io.ballast.cluster.mesh.Mesh;
import io.ballast.cluster.raft.LogMember;
import io.ballast.cluster.raft.RaftMessages;
import io.ballast.cluster.raft.Records;
import io.microraft.RaftEndpoint;
import io.microraft.model.message.RaftMessage;
import io.microraft.transport.Transport;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Sends and receives the messages of MicroRaft. A message that cannot be sent is dropped, because MicroRaft sends it
 * again. Thread-safe.
 */
final class LogTransport implements Transport {

    private final PeerStatuses statuses;
    private final Mesh mesh;
    private final int kind;

    LogTransport(PeerStatuses statuses, Mesh mesh, int kind) {
        this.statuses = statuses;
        this.mesh = mesh;
        this.kind = kind;
    }

    @Override
    public boolean isReachable(RaftEndpoint target) {
        return statuses.isConnected(target);
    }

    @Override
    public void send(RaftEndpoint target, RaftMessage message) {
        if (!isReachable(target)) {
            return;
        }
        LogMember member = (LogMember) target;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            Records.writeUuid(out, member.copy());
            Records.writeUuid(out, UUID.fromString(message.getGroupId().toString()));
            RaftMessages.write(out, message);
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        mesh.send(member.node(), kind, bytes.toByteArray());
    }

    /**
     * Returns a received message; null if it is for another copy of the log or another group, or if it names a sender
     * other than the node that sent it.
     *
     * @throws IOException if the bytes are not a message
     */
    static @Nullable RaftMessage read(String sender, byte[] bytes, LogMember self, UUID group) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        UUID copy = Records.readUuid(in);
        if (!copy.equals(self.copy()) || !Records.readUuid(in).equals(group)) {
            return null;
        }
        RaftMessage message = RaftMessages.read(in, group.toString());
        return ((LogMember) message.getSender()).node().equals(sender) ? message : null;
    }
}
