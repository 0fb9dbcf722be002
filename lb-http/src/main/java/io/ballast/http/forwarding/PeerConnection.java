package io.ballast.http.forwarding;

import io.ballast.http.head.MajorVersion;
import java.net.SocketAddress;

/**
 * Properties of a client's connection that are known when it is accepted.
 *
 * @param peer the peer's address: a Unix socket, or an IP address and port
 * @param localPort the port that the client connected to; -1 for a Unix socket
 * @param secure whether the connection uses TLS
 * @param version the version of HTTP that the connection uses
 */
public record PeerConnection(SocketAddress peer, int localPort, boolean secure, MajorVersion version) {

    String scheme() {
        return secure ? "https" : "http";
    }
}
