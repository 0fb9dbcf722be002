package io.ballast.http.forwarding;

import java.net.SocketAddress;

/**
 * Properties of a client's connection that are known when it is accepted.
 *
 * @param peer the peer's address: a Unix socket, or an IP address and port
 * @param localPort the port that the client connected to; -1 for a Unix socket
 * @param secure whether the connection uses TLS
 * @param http2 whether the connection uses HTTP/2
 */
public record PeerConnection(SocketAddress peer, int localPort, boolean secure, boolean http2) {

    String scheme() {
        return secure ? "https" : "http";
    }
}
