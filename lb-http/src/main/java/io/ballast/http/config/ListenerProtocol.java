package io.ballast.http.config;

/** The protocol of a listener. */
public enum ListenerProtocol {
    /** HTTP requests and responses. */
    HTTP,
    /** TCP connections with any application protocol. */
    TCP,
    /** UDP datagrams; datagrams from the same client address and port form a session. */
    UDP
}
