package io.ballast.net.listen;

/**
 * Accepts connections until it is closed, which leaves connections open. Thread safety: confined to the thread that starts
 * and stops.
 */
public interface ListeningSocket extends AutoCloseable {

    /** Begins to accept, if it was bound without that. Does not wait. */
    void accept();

    /** Stops to accept, without waiting for it. To be closed all the same. */
    void stop();

    /** Stops to accept. Closing it again does nothing. */
    @Override
    void close();
}
