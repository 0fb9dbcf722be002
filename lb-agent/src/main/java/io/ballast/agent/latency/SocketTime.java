package io.ballast.agent.latency;

import io.ballast.core.net.IpAddress;

/**
 * The smoothed round-trip time of an open TCP connection, as the kernel measures it.
 *
 * @param localPort the port of this machine
 * @param peer the address of the client
 * @param peerPort the port of the client
 * @param micros the smoothed round-trip time in microseconds; above zero
 */
record SocketTime(int localPort, IpAddress peer, int peerPort, long micros) {

    /** Identifies the connection among all connections that are open at the same time. */
    record Key(int localPort, IpAddress peer, int peerPort) {}

    Key key() {
        return new Key(localPort, peer, peerPort);
    }
}
