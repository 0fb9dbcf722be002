package io.ballast.http.net;

import io.ballast.core.balance.Affinity;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.random.RandomGenerator;

/** What the ends of a client's connection say of who and where it is. Those of a Unix socket say nothing. */
public final class PeerAddress {

    private static final byte[] NONE = {};

    private PeerAddress() {}

    /** The client's end of a Unix socket, which has no name: another object for each connection. */
    public static SocketAddress unnamed() {
        return UnixDomainSocketAddress.of("");
    }

    /** The address as 4 or 16 octets in network order; none for a Unix socket. */
    public static byte[] octets(SocketAddress end) {
        return end instanceof InetSocketAddress inet ? inet.getAddress().getAddress() : NONE;
    }

    /** The port; -1 for a Unix socket. */
    public static int port(SocketAddress end) {
        return end instanceof InetSocketAddress inet ? inet.getPort() : -1;
    }

    /**
     * What ties a client's requests together: its address, or its connection if there is none. Clients of a Unix socket would
     * all be one otherwise, and have one backend.
     */
    public static long affinity(SocketAddress client, RandomGenerator random) {
        return client instanceof InetSocketAddress ? Affinity.DEFAULT.of(octets(client)) : random.nextLong();
    }
}
