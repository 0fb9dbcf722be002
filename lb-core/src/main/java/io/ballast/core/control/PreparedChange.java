package io.ballast.core.control;

import java.util.List;

/**
 * A change that is ready to be put in force: everything that can fail or takes long has been done beside what runs, which
 * does not know of it yet.
 *
 * <p>Its life: made by any thread that may block; then either {@link #commit}, and {@link #settle} when no event loop can still
 * hold what it read before; or {@link #close} alone, which gives it up.
 */
public interface PreparedChange extends AutoCloseable {

    /** A change of nothing. */
    PreparedChange NOTHING = new PreparedChange() {
        @Override
        public void commit() {}

        @Override
        public void close() {}
    };

    /** What an operator should know of it, a sentence each. */
    default List<String> warnings() {
        return List.of();
    }

    /** Puts it in force. Called once, on the control plane's thread; neither fails nor blocks. */
    void commit();

    /**
     * Frees what was in force before. Called once after {@link #commit}, on the control plane's thread, when every event loop has
     * ended what it was at when the change was committed.
     */
    default void settle() {}

    /** Gives it up and frees what it holds; does nothing after {@link #commit}. */
    @Override
    void close();
}
