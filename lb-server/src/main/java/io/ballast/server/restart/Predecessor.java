package io.ballast.server.restart;

import io.ballast.net.takeover.SharedSocket;
import java.util.List;
import java.util.Set;

/** What serves in this process and may leave that to another one. Called by one thread. */
public interface Predecessor {

    /** The sockets by which clients come in. */
    List<SharedSocket> shared();

    /** The ports of TCP that are no one's for a moment when this process leaves: their sockets cannot be handed over. */
    Set<Integer> vacated();

    /**
     * Another process is about to read what there is: changes nothing that it would miss.
     *
     * @throws IllegalStateException if sockets cannot be handed over; the message says why, and all is as before
     */
    void hold();

    /** The other process has failed: all is as before. */
    void resume();

    /**
     * Another process serves by the same sockets: takes nothing in any more, and lets go of all that one process alone may have.
     * What runs goes on. Waits for that, but not for what runs.
     */
    void leave();
}
