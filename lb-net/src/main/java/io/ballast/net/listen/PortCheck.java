package io.ballast.net.listen;

import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Finds out whether anyone else listens on a port. Sockets that share a port would not fail beside those of another
 * process that shares it too: it would silently get a part of the clients.
 */
public final class PortCheck {

    private static final int ATTEMPTS = 32;
    private static final Duration POLL = Duration.ofMillis(20);

    private PortCheck() {}

    /**
     * Checks that a port is free on all addresses for TCP.
     *
     * @param port 0 to have one chosen
     * @param datagrams whether it has to be free for UDP too
     * @return the port
     * @throws IOException naming the protocol, the address and the reason if one is not free
     */
    public static int free(List<InetAddress> addresses, int port, boolean datagrams) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return bindAll(addresses, port, datagrams);
            } catch (IOException e) {
                // A port that is free on one address need not be on the others.
                if (port != 0 || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /**
     * Checks that a port is free on all addresses for UDP alone.
     *
     * @throws IOException naming the address and the reason if it is not free on one
     */
    public static void freeForDatagrams(Collection<InetAddress> addresses, int port) throws IOException {
        for (InetAddress address : addresses) {
            bindUdp(new InetSocketAddress(address, port)).close();
        }
    }

    /**
     * Waits until nobody listens on an address: the system lets go of a socket of io_uring only some time after it was
     * closed.
     *
     * @param most how long to wait
     * @throws BindException if it is not free then
     */
    public static void awaitFree(InetSocketAddress address, Duration most) throws BindException {
        long end = System.nanoTime() + most.toNanos();
        while (true) {
            try {
                bindTcp(address).close();
                return;
            } catch (BindException e) {
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
                LockSupport.parkNanos(POLL.toNanos());
            } catch (IOException e) {
                throw BindFailure.at("TCP", address, e);
            }
        }
    }

    private static int bindAll(List<InetAddress> addresses, int wanted, boolean datagrams) throws IOException {
        Deque<Closeable> sockets = new ArrayDeque<>();
        try {
            int port = wanted;
            for (InetAddress address : addresses) {
                if (datagrams) {
                    DatagramSocket udp = bindUdp(new InetSocketAddress(address, port));
                    sockets.push(udp);
                    port = udp.getLocalPort();
                }
                ServerSocket tcp = bindTcp(new InetSocketAddress(address, port));
                sockets.push(tcp);
                port = tcp.getLocalPort();
            }
            return port;
        } finally {
            for (Closeable socket : sockets) {
                socket.close();
            }
        }
    }

    private static DatagramSocket bindUdp(InetSocketAddress address) throws IOException {
        try {
            return new DatagramSocket(address);
        } catch (IOException e) {
            throw BindFailure.at("UDP", address, e);
        }
    }

    private static ServerSocket bindTcp(InetSocketAddress address) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            // Connections that have just ended are no obstacle, listeners still are.
            socket.setReuseAddress(true);
            socket.bind(address);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw BindFailure.at("TCP", address, e);
        }
    }
}
