package io.ballast.cluster.log;

import io.ballast.cluster.mesh.Mesh;
import io.ballast.cluster.raft.Records;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * Sends applied commands to the nodes that do not vote. Applied commands are committed, so sending them needs no votes
 * and no terms. A node asks for the commands after its position, and receives them, or a snapshot if this node no
 * longer has the commands. Confined to the log thread.
 */
final class LogFeed implements FactState.AppliedListener {

    private static final int MAX_KEPT = 5000;
    private static final long MAX_KEPT_BYTES = 16 << 20;
    private static final int MAX_MESSAGE_BYTES = 1 << 20;

    private final Deque<Applied> kept = new ArrayDeque<>();
    private final Map<String, Long> sent = new HashMap<>();
    private final FactState state;
    private final Mesh mesh;
    private final Executor thread;
    private final int commandsKind;
    private final int snapshotKind;
    private long keptBytes;
    /** This node keeps all commands after this position. */
    private long start;

    private boolean scheduled;

    LogFeed(FactState state, Mesh mesh, Executor thread, int commandsKind, int snapshotKind) {
        this.state = state;
        this.mesh = mesh;
        this.thread = thread;
        this.commandsKind = commandsKind;
        this.snapshotKind = snapshotKind;
        this.start = state.applied();
    }

    @Override
    public void applied(long position, byte[] command) {
        kept.add(new Applied(position, command));
        keptBytes += command.length;
        while (kept.size() > MAX_KEPT || keptBytes > MAX_KEPT_BYTES) {
            Applied oldest = kept.remove();
            keptBytes -= oldest.command().length;
            start = oldest.position();
        }
        schedule();
    }

    @Override
    public void replaced() {
        kept.clear();
        keptBytes = 0;
        start = state.applied();
        schedule();
    }

    /** Schedules {@link #send}, so that commands that are applied together are sent in one message. */
    private void schedule() {
        if (!scheduled && !sent.isEmpty()) {
            scheduled = true;
            thread.execute(this::send);
        }
    }

    /** Handles a node's request for the commands after a position of a group's log. */
    void follow(String node, byte[] message) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(message));
        UUID group = Records.readUuid(in);
        long position = in.readLong();
        UUID own = state.group();
        if (own == null) {
            return;
        }
        if (group.equals(own) && position >= start) {
            sent.put(node, position);
        } else {
            sendSnapshot(node, own);
        }
        send();
    }

    private void sendSnapshot(String node, UUID group) throws IOException {
        List<byte[]> parts = Chunks.split(state.snapshot());
        for (int i = 0; i < parts.size(); i++) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            Records.writeUuid(out, group);
            out.writeLong(state.applied());
            out.writeInt(i);
            out.writeInt(parts.size());
            Records.writeBytes(out, parts.get(i));
            if (!mesh.send(node, snapshotKind, bytes.toByteArray())) {
                return; // the node requests the commands again
            }
        }
        sent.put(node, state.applied());
    }

    void forget(String node) {
        sent.remove(node);
    }

    /** Sends the missing commands to each node. If sending fails, the node must request the commands again. */
    void send() {
        scheduled = false;
        long applied = state.applied();
        for (Iterator<Map.Entry<String, Long>> nodes = sent.entrySet().iterator(); nodes.hasNext(); ) {
            Map.Entry<String, Long> node = nodes.next();
            if (node.getValue() < start) {
                nodes.remove();
            } else if (node.getValue() < applied) {
                Batch batch = batch(node.getValue(), applied);
                if (mesh.send(node.getKey(), commandsKind, batch.message())) {
                    node.setValue(batch.last());
                    scheduled |= batch.last() < applied;
                } else {
                    nodes.remove();
                }
            }
        }
        if (scheduled) {
            thread.execute(this::send);
        }
    }

    private Batch batch(long after, long applied) {
        List<Applied> commands = new ArrayList<>();
        long last = applied;
        int bytes = 0;
        for (Applied command : kept) {
            if (command.position() <= after) {
                continue;
            }
            bytes += command.command().length;
            if (bytes > MAX_MESSAGE_BYTES) {
                last = commands.get(commands.size() - 1).position();
                break;
            }
            commands.add(command);
        }
        return new Batch(message(after, last, commands), last);
    }

    private byte[] message(long after, long last, List<Applied> commands) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            UUID group = state.group();
            Records.writeUuid(out, group == null ? new UUID(0, 0) : group);
            out.writeLong(after);
            out.writeLong(last);
            out.writeInt(commands.size());
            for (Applied command : commands) {
                out.writeLong(command.position());
                Records.writeBytes(out, command.command());
            }
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    @SuppressWarnings("ArrayRecordComponent") // records are never compared, and the array is not copied
    private record Applied(long position, byte[] command) {}

    @SuppressWarnings("ArrayRecordComponent") // records are never compared, and the array is not copied
    private record Batch(byte[] message, long last) {}
}
