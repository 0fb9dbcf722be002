package io.ballast.dns.forward;

/** Makes what comes behind a message of several. Called on the event loop of the connection, which it must not hold up. */
public interface NextPart {

    /** The client takes more. */
    void due();

    /** The connection of the client has ended. No further message may be sent. */
    void gone();
}
