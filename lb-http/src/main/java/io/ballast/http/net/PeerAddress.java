package io.ballast.http.net;

import io.ballast.core.balance.Affinity;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.random.RandomGenerator;

/**
 * Extracts addresses and ports from the socket addresses of a client's connection. A Unix socket has neither.
 */
public final class PeerAddress {

    private static final byte[] NONE = {};

    private PeerAddress() {}

    /** Returns the address of a Unix socket's client, which has no name: a new object for each connection. */
    public static SocketAddress newUnnamedAddress() {
        return UnixDomainSocketAddress.of("");
    }

    /** The address as 4 or 16 bytes in network order; empty for a Unix socket. */
    public static byte[] bytes(SocketAddress end) {
        return end instanceof InetSocketAddress inet ? inet.getAddress().getAddress() : NONE;
    }

    /** The port; -1 for a Unix socket. */
    public static int port(SocketAddress end) {
        return end instanceof InetSocketAddress inet ? inet.getPort() : -1;
    }

    /**
     * The affinity key of a client: a hash of its address, or a random number per connection if it has no
     * address. Without the random number, all clients of a Unix socket would share one backend.
     */
    public static long affinity(SocketAddress client, RandomGenerator random) {
        return client instanceof InetSocketAddress ? Affinity.DEFAULT.of(bytes(client)) : random.nextLong();
    }
}
