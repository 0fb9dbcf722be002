package io.ballast.cluster.log;

import io.ballast.cluster.raft.Records;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state of the machine, and up to which position of which group's log it has applied the commands. Commands may come from
 * this node's copy of the log and from other nodes: each is applied once. {@link #applied} may be called by any thread, the
 * rest by the thread of the log.
 */
final class FactState {

    private static final byte[] NOTHING = {};

    private final FactMachine machine;
    private @Nullable UUID group;
    private @Nullable AppliedListener listener;
    private volatile long applied;

    FactState(FactMachine machine) {
        this.machine = machine;
    }

    /** Sets who learns of applied commands. */
    void setListener(AppliedListener listener) {
        this.listener = listener;
    }

    /** The position up to which all commands were applied. */
    long applied() {
        return applied;
    }

    /** The group whose log this is; null before the first command. */
    @Nullable UUID group() {
        return group;
    }

    /** Continues with the log of a group; the state is emptied if it was another one's. */
    void enter(UUID entered) {
        if (group != null && !group.equals(entered)) {
            machine.clear();
            applied = 0;
        }
        group = entered;
    }

    /** Applies a command; one that was applied already has no result. */
    byte[] apply(long position, byte[] command) {
        if (position <= applied) {
            return NOTHING;
        }
        byte[] result = machine.apply(position, command);
        applied = position;
        if (listener != null) {
            listener.applied(position, command);
        }
        return result;
    }

    /** Passes positions that have no command. */
    void pass(long position) {
        applied = Math.max(applied, position);
    }

    byte[] snapshot() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            UUID current = group == null ? new UUID(0, 0) : group;
            Records.writeUuid(out, current);
            out.writeLong(applied);
            machine.save(out);
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Replaces the state by a snapshot, unless the state is newer.
     *
     * @throws IOException if the bytes are not a snapshot
     */
    void install(byte[] snapshot) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(snapshot));
        UUID source = Records.readUuid(in);
        long position = in.readLong();
        if (source.equals(group) && position <= applied) {
            return;
        }
        machine.restore(in);
        group = source;
        applied = position;
        if (listener != null) {
            listener.replaced();
        }
    }

    /** Learns of changes of the state. Called by the thread of the log. */
    interface AppliedListener {
        void applied(long position, byte[] command);

        /** The state was replaced by a snapshot. */
        void replaced();
    }
}
