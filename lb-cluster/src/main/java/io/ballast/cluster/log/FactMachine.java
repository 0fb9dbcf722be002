package io.ballast.cluster.log;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The state that the replicated log builds. Every node applies the same commands in the same order, so {@link #apply} must
 * depend on nothing but the state and the command. Called by one thread at a time.
 */
public interface FactMachine {

    /**
     * Applies a command of the log.
     *
     * @param position the position of the command in the log; greater than that of each command before
     * @param command the bytes passed to {@link FactLog#submit}
     * @return the result for the submitter
     */
    byte[] apply(long position, byte[] command);

    /** Writes the whole state, from which {@link #restore} makes an equal one. */
    void save(DataOutput out) throws IOException;

    /**
     * Replaces the state.
     *
     * @throws IOException if the input is not a state written by {@link #save}
     */
    void restore(DataInput in) throws IOException;

    /** Empties the state, because this node joins another cluster. */
    void clear();
}
