package io.ballast.net.listen;

/**
 * Accepts connections until it is closed, which leaves connections open. Thread safety: confined to the thread that starts
 * and stops.
 */
public interface ListeningSocket extends AutoCloseable {

    /** Stops to accept. Closing it again does nothing. */
    @Override
    void close();
}
