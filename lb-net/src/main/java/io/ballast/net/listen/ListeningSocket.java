package io.ballast.net.listen;

import io.ballast.net.takeover.SharedSocket;
import java.util.List;

/**
 * Accepts connections until it is closed; closing leaves accepted connections open. Thread safety: confined to the
 * thread that starts and stops.
 */
public interface ListeningSocket extends AutoCloseable {

    /** Begins to accept, if the socket was bound without accepting. Does not wait. */
    void accept();

    /** The sockets in a form that another process can inherit; empty if that is not possible. */
    default List<SharedSocket> sharedSockets() {
        return List.of();
    }

    /** Stops accepting, without waiting. The caller must still close the socket. */
    void stop();

    /**
     * Takes sole ownership after the other process that shared the socket has stopped. Accepts connections that
     * it may have left in the accept queue. Does not wait.
     */
    default void activate() {}

    /**
     * Hands the socket over to another process that shares it. Waits until this process has stopped accepting.
     */
    default void releaseToSuccessor() {
        close();
    }

    /** Stops accepting. Closing it again does nothing. */
    @Override
    void close();
}
