package io.ballast.http.h1.backend;

/** Counts a connection in progress against a limit. Event-loop confined. */
interface ConnectCount {

    /** The connect has succeeded or failed. */
    void done(boolean isMade);

    /** The connect had no file descriptor and opened nothing. Its attempt waits or fails. */
    void outOfDescriptors();
}
