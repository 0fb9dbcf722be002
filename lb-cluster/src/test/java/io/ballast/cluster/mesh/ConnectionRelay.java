package io.ballast.cluster.mesh;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Forwards TCP connections to another address, and counts the connections that have ended. */
final class ConnectionRelay implements AutoCloseable {

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger closed = new AtomicInteger();
    private final ServerSocket server = new ServerSocket(0, /* backlog= */ 0, InetAddress.getLoopbackAddress());
    private volatile InetSocketAddress target;

    ConnectionRelay(InetSocketAddress target) throws IOException {
        this.target = target;
        threads.execute(this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /** The number of connections that the client or the target has closed. */
    int closed() {
        return closed.get();
    }

    /** Sets the target of later connections. */
    void forwardTo(InetSocketAddress next) {
        target = next;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                relay(server.accept());
            } catch (IOException e) {
                // The relay is closed.
            }
        }
    }

    private void relay(Socket client) throws IOException {
        try {
            Socket backend = new Socket(target.getAddress(), target.getPort());
            threads.execute(() -> {
                copy(client, backend);
                closed.incrementAndGet();
            });
            threads.execute(() -> copy(backend, client));
        } catch (IOException e) {
            client.close(); // The target does not accept connections yet.
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException e) {
            // One end has closed the connection.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        threads.shutdownNow();
    }
}
