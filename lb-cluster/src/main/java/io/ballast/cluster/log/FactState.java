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
 * The state machine, with the group and the log position of the last applied command. Commands come from this node's
 * copy of the log or from other nodes; each command is applied once. {@link #applied} may be called by any thread; all
 * other methods are confined to the log thread.
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

    /** Sets the listener for applied commands. */
    void setListener(AppliedListener listener) {
        this.listener = listener;
    }

    /** The position up to which all commands were applied. */
    long applied() {
        return applied;
    }

    /** The group whose commands are applied; null before the first command. */
    @Nullable UUID group() {
        return group;
    }

    /** Continues with the log of a group. Clears the state if it belongs to another group. */
    void enter(UUID entered) {
        if (group != null && !group.equals(entered)) {
            machine.clear();
            applied = 0;
        }
        group = entered;
    }

    /** Applies a command and returns its result. If the command was already applied, returns an empty array. */
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

    /** Skips positions that contain no command. */
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

    /** Receives changes of the state. Called on the log thread. */
    interface AppliedListener {
        void applied(long position, byte[] command);

        /** Called when the state was replaced by a snapshot. */
        void replaced();
    }
}
