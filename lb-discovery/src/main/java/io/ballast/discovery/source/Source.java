package io.ballast.discovery.source;

import java.util.List;

/**
 * A source of the backends of one pool: DNS, a file, or a service registry. It has threads of its own, polls or listens until
 * it is closed, and always reports the whole set. Its input is bounded, and it continues after every failure.
 */
public interface Source extends AutoCloseable {

    /** Starts the source; called once. */
    void start(Listener listener);

    /** Ends; the listener may hear of one more set that was on its way. */
    @Override
    void close();

    /** Hears what a source finds. Thread safety: called by one thread at a time, never by two. */
    interface Listener {

        /** All backends that there are now; the same set again is no news. An empty one is believed. */
        void found(List<DiscoveredBackend> backends);

        /** The source was asked or reported by itself, and what it told last is still true. */
        default void confirmed() {}

        /**
         * Nothing is known now, and what was found last holds; told for each attempt.
         *
         * @param reason in words: "connection refused"
         */
        void failed(String reason);
    }
}
