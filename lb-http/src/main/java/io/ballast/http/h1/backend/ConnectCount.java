package io.ballast.http.h1.backend;

/** How a connection that is being made counts against a limit. Event-loop confined. */
interface ConnectCount {

    /** The connection was made, or could not be. */
    void done(boolean isMade);

    /** There was no file descriptor for it, and nothing was made. Its attempt has to wait, or fails. */
    void outOfDescriptors();
}
