package io.ballast.http.h1.client;

/** The phases of a client connection; see {@link Http1Session}. */
enum SessionState {
    /** The connection waits for a request, or has received only a part of a request head. */
    HEAD,
    /** The policies of a request have not decided yet; the receive buffer begins with the head of the request. */
    POLICIES,
    /** A request is being served; its body may be incomplete. */
    SERVING,
    /** Client and backend have switched to another protocol. */
    TUNNEL,
    /** The last response was sent or is being sent; further input is discarded. */
    ENDING,
    CLOSED
}
