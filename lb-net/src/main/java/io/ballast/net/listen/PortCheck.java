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
 * Checks whether another process listens on a port. Binding with port sharing does not fail if the other process also
 * shares the port, and that process would silently get some of the clients.
 */
public final class PortCheck {

    private static final int ATTEMPTS = 32;
    private static final Duration POLL = Duration.ofMillis(20);

    private PortCheck() {}

    /**
     * Checks that a port is free on all addresses for TCP.
     *
     * @param port the port; 0 lets the system choose one
     * @param datagrams whether it has to be free for UDP too
     * @return the port
     * @throws IOException if a port is not free; the message names the protocol, the address and the reason
     */
    public static int requireFree(List<InetAddress> addresses, int port, boolean datagrams) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return bindAll(addresses, port, datagrams);
            } catch (IOException e) {
                // A port that is free on one address may be taken on another.
                if (port != 0 || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /**
     * Checks that a port is free on all addresses for UDP.
     *
     * @throws IOException if the port is in use on an address; the message names the address and the reason
     */
    public static void requireFreeForDatagrams(Collection<InetAddress> addresses, int port) throws IOException {
        for (InetAddress address : addresses) {
            bindUdp(new InetSocketAddress(address, port)).close();
        }
    }

    /**
     * Waits until an address is free; the kernel releases an io_uring socket some time after it was closed.
     *
     * @param max the longest wait
     * @throws BindException if the address is still in use after that time
     */
    public static void awaitFree(InetSocketAddress address, Duration max) throws BindException {
        long end = System.nanoTime() + max.toNanos();
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
            // Connections in TIME_WAIT do not prevent the bind; listening sockets still do.
            socket.setReuseAddress(true);
            socket.bind(address);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw BindFailure.at("TCP", address, e);
        }
    }
}
