package io.ballast.cluster.log;

import io.ballast.cluster.raft.Records;
import io.microraft.statemachine.StateMachine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;

/** Applies the commands that this node's copy of the log has committed to the state. Called on the log thread. */
final class LoggedMachine implements StateMachine {

    private final FactState state;

    LoggedMachine(FactState state) {
        this.state = state;
    }

    @Override
    public Object runOperation(long position, Object operation) {
        if (operation instanceof byte[] command) {
            return state.apply(position, command);
        }
        state.pass(position);
        return new byte[0];
    }

    @Override
    public void takeSnapshot(long position, Consumer<Object> chunks) {
        Chunks.split(state.snapshot()).forEach(chunks);
    }

    @Override
    public void installSnapshot(long position, List<Object> chunks) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        chunks.forEach(chunk -> bytes.writeBytes((byte[]) chunk));
        try {
            state.install(bytes.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        state.pass(position);
    }

    @Override
    public Object getNewTermOperation() {
        return Records.NEW_TERM;
    }
}
