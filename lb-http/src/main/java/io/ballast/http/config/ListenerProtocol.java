package io.ballast.http.config;

/** The protocol of a listener. */
public enum ListenerProtocol {
    /** Requests and responses. */
    HTTP,
    /** Connections with any protocol. */
    TCP,
    /** Datagrams, in sessions by the client's address and port. */
    UDP
}
