package io.ballast.cluster.log;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The replicated state machine: the state that results from the commands of the log. Every node applies the same
 * commands in the same order, so the result of {@link #apply} must depend only on the state and the command. Called by
 * one thread at a time.
 */
public interface FactMachine {

    /**
     * Applies a command of the log.
     *
     * @param position the position of the command in the log; greater than the positions of all earlier commands
     * @param command the bytes passed to {@link FactLog#submit}
     * @return the result for the submitter
     */
    byte[] apply(long position, byte[] command);

    /** Writes the whole state in the format that {@link #restore} reads. */
    void save(DataOutput out) throws IOException;

    /**
     * Replaces the state.
     *
     * @throws IOException if the input is not a state written by {@link #save}
     */
    void restore(DataInput in) throws IOException;

    /** Clears the state, because this node joins another cluster. */
    void clear();
}
