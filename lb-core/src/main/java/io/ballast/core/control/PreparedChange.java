package io.ballast.core.control;

import java.util.List;

/**
 * A prepared change. All steps that can fail or take a long time are done, and the running state is
 * unchanged.
 *
 * <p>Life cycle: created by a thread that may block. To apply the change, {@link #commit} is called, and then
 * {@link #releasePrevious} when no event loop uses the previous state any more. To abandon the change, only
 * {@link #close} is called.
 */
public interface PreparedChange extends AutoCloseable {

    /** A change that does nothing. */
    PreparedChange NOTHING = new PreparedChange() {
        @Override
        public void commit() {}

        @Override
        public void close() {}
    };

    /** Returns warnings for the operator, one sentence each. */
    default List<String> warnings() {
        return List.of();
    }

    /** Activates the change. Called once, on the control plane's thread; neither fails nor blocks. */
    void commit();

    /**
     * Releases the previous state. Called once after {@link #commit}, on the control plane's thread, when every
     * event loop has finished the iteration in which the change was committed.
     */
    default void releasePrevious() {}

    /** Abandons the change and releases its resources; does nothing after {@link #commit}. */
    @Override
    void close();
}
