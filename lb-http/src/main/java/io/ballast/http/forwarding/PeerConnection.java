package io.ballast.http.forwarding;

import java.net.SocketAddress;

/**
 * What is known of a client's connection when it is accepted.
 *
 * @param peer of a Unix socket, or an address and port
 * @param localPort the port it connected to; -1 for a Unix socket
 * @param secure whether the connection is one of TLS
 * @param http2 whether requests come by HTTP/2
 */
public record PeerConnection(SocketAddress peer, int localPort, boolean secure, boolean http2) {

    String scheme() {
        return secure ? "https" : "http";
    }
}
