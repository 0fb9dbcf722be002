package io.ballast.dns.forward;

/** Makes what comes behind a message of several. Called on the event loop of the connection, which it must not hold up. */
public interface NextPart {

    /** The client takes more. */
    void due();

    /** The client takes no more, since its connection has ended. Nothing is to be sent any more, and nobody has to be told. */
    void gone();
}
