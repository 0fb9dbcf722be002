package io.ballast.http.h1.backend;

/** Counts a connection in progress against a limit. Event-loop confined. */
interface ConnectCount {

    /** Called when the connection has been established or has failed. */
    void done(boolean isMade);

    /**
     * Reports that the process had no free file descriptor, so no socket was opened. The attempt waits or fails.
     */
    void outOfDescriptors();
}
