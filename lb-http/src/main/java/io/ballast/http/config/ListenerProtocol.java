package io.ballast.http.config;

/** The protocol of a listener. */
public enum ListenerProtocol {
    /** Requests and responses. */
    HTTP,
    /** Connections with any protocol. */
    TCP,
    /** Datagrams; those from the same client address and port form a session. */
    UDP
}
