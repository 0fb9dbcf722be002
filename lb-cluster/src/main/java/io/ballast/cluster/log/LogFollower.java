package io.ballast.cluster.log;

import io.ballast.cluster.mesh.Mesh;
import io.ballast.cluster.raft.Records;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Comparator;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Receives the applied commands from a voter while this node has no copy of the log that is a member of a group.
 * Confined to the log thread.
 */
final class LogFollower {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_PARTS = 1024;
    private static final UUID NO_GROUP = new UUID(0, 0);

    private final String self;
    private final FactState state;
    private final PeerStatuses statuses;
    private final Mesh mesh;
    private final int followKind;
    private @Nullable String source;
    private @Nullable ByteArrayOutputStream snapshot;
    private long progressNanos;

    LogFollower(String self, FactState state, PeerStatuses statuses, Mesh mesh, int followKind) {
        this.self = self;
        this.state = state;
        this.statuses = statuses;
        this.mesh = mesh;
        this.followKind = followKind;
    }

    /** Stops, because this node's own copy receives all commands. */
    void stop() {
        source = null;
    }

    /**
     * Requests the commands from another voter if the current voter is lost, or has not sent its newer commands for a
     * second.
     */
    void tick() {
        String current = source;
        LogStatus status = current == null ? null : statuses.get(current);
        boolean lost = status == null || !status.isMember();
        boolean late = status != null
                && status.applied() > state.applied()
                && System.nanoTime() - progressNanos > PATIENCE_NANOS;
        if (lost || late) {
            ask(choose(late ? current : null));
        }
    }

    /** Chooses a voter. Each node prefers the voters in a different order, which spreads the load over them. */
    private @Nullable String choose(@Nullable String avoided) {
        return statuses.all().entrySet().stream()
                .filter(entry -> entry.getValue().isMember())
                .map(Map.Entry::getKey)
                .min(Comparator.<String, Boolean>comparing(node -> node.equals(avoided))
                        .thenComparing(node -> (self + " " + node).hashCode() * 0x9E3779B9))
                .orElse(null);
    }

    private void ask(@Nullable String node) {
        source = node;
        snapshot = null;
        progressNanos = System.nanoTime();
        if (node == null) {
            return;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            UUID group = state.group();
            Records.writeUuid(out, group == null ? NO_GROUP : group);
            out.writeLong(state.applied());
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        if (!mesh.send(node, followKind, bytes.toByteArray())) {
            source = null;
        }
    }

    void receiveCommands(String sender, byte[] message) throws IOException {
        if (!sender.equals(source)) {
            return;
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(message));
        UUID group = Records.readUuid(in);
        long after = in.readLong();
        long last = in.readLong();
        if (!group.equals(state.group()) || after > state.applied()) {
            ask(sender);
            return;
        }
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            state.apply(in.readLong(), Records.readBytes(in));
        }
        state.pass(last);
        progressNanos = System.nanoTime();
    }

    void receiveSnapshot(String sender, byte[] message) throws IOException {
        if (!sender.equals(source)) {
            return;
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(message));
        UUID group = Records.readUuid(in);
        in.readLong(); // skips the position, which the snapshot also contains
        int number = in.readInt();
        int count = in.readInt();
        if (number == 0) {
            snapshot = new ByteArrayOutputStream();
        }
        if (snapshot == null || count > MAX_PARTS) {
            return;
        }
        snapshot.writeBytes(Records.readBytes(in));
        progressNanos = System.nanoTime();
        if (number == count - 1) {
            byte[] complete = snapshot.toByteArray();
            snapshot = null;
            state.enter(group);
            state.install(complete);
        }
    }
}
