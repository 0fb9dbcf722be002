package io.ballast.discovery.source;

import java.util.List;

/**
 * A source of the backends of one pool: DNS, a file, or a service registry. It has its own threads, polls or
 * listens until it is closed, and always reports all current backends. Its input is bounded, and it continues
 * after every failure.
 */
public interface Source extends AutoCloseable {

    /** Starts the source; called once. */
    void start(Listener listener);

    /** Closes the source; the listener may receive one more result. */
    @Override
    void close();

    /** Receives the results of a source. Thread safety: called by only one thread at a time. */
    interface Listener {

        /** Receives all current backends; an unchanged set has no effect. An empty set is accepted. */
        void onBackends(List<DiscoveredBackend> backends);

        /** Called when the source has confirmed that its last result is still valid. */
        default void onUnchanged() {}

        /**
         * Called for each failed attempt; the last result of the source stays valid.
         *
         * @param reason a description, such as "connection refused"
         */
        void onFailure(String reason);
    }
}
