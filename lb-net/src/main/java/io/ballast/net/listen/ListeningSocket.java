package io.ballast.net.listen;

import io.ballast.net.takeover.SharedSocket;
import java.util.List;

/**
 * Accepts connections until it is closed, which leaves connections open. Thread safety: confined to the thread that starts
 * and stops.
 */
public interface ListeningSocket extends AutoCloseable {

    /** Begins to accept, if it was bound without that. Does not wait. */
    void accept();

    /** As another process may go on with it; none where that cannot be. */
    default List<SharedSocket> shared() {
        return List.of();
    }

    /** Stops to accept, without waiting for it. To be closed all the same. */
    void stop();

    /** Another process had the socket, too, and has stopped: accepts what it may have left, and owns it alone. Does not wait. */
    default void takeCharge() {}

    /** Another process has the socket, too, and accepts from now on. Waits until nothing is accepted here any more. */
    default void leaveToOther() {
        close();
    }

    /** Stops to accept. Closing it again does nothing. */
    @Override
    void close();
}
