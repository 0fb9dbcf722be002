package io.ballast.server.reload;

import io.ballast.config.BallastConfig;
import io.ballast.core.control.PreparedChange;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** A component that runs with a configuration and can switch to another one while it runs. */
public interface Reloadable {

    /** Returns the active configuration, as read from the configuration file. */
    BallastConfig config();

    /**
     * Prepares another configuration while the active one stays in use; called by one thread; may block.
     *
     * @throws IOException if an address cannot be bound, or a file cannot be used; the message names it and the
     *     reason
     * @throws IllegalStateException if a certificate cannot be used
     * @throws IllegalArgumentException if zones contradict each other
     */
    Preparation prepare(BallastConfig next) throws IOException;

    /** A prepared configuration. */
    interface Preparation extends PreparedChange {

        /** Whether the prepared change has no effect. */
        boolean isEmpty();

        /**
         * Whether the preparation still matches the current state of the backends. Called on the control plane's
         * thread, so that the result still holds for a {@link #commit} that follows immediately.
         */
        boolean isCurrent();

        /** Brings the prepared change up to date with the current state of the backends; may block. */
        void update();

        /**
         * Completes when every event loop has finished the tasks that were running when the change was committed.
         */
        CompletableFuture<Void> quiescence();
    }
}
