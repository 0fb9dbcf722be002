package io.ballast.dns.forward;

/** Creates the next message of a multi-message response. Called on the event loop of the connection; must not block. */
public interface NextPart {

    /** Called when the client can receive the next message. */
    void onReady();

    /** Called when the connection of the client has ended. No further message may be sent. */
    void onClosed();
}
