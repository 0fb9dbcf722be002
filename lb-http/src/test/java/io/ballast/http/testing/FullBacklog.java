package io.ballast.http.testing;

import io.ballast.core.config.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/** An address where a connect never completes: a socket with a full backlog that never accepts. */
public final class FullBacklog implements AutoCloseable {

    private static final int MAX = 64;

    private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final List<Socket> waiting = new ArrayList<>();
    private boolean full;

    public FullBacklog() throws IOException {
        while (!full && waiting.size() < MAX) {
            Socket socket = new Socket();
            waiting.add(socket);
            try {
                socket.connect(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()), 200);
            } catch (SocketTimeoutException e) {
                full = true;
            }
        }
    }

    /** Whether the backlog is full; some systems never report that. */
    public boolean isFull() {
        return full;
    }

    public HostPort address() {
        return new HostPort("127.0.0.1", server.getLocalPort());
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : waiting) {
            socket.close();
        }
        server.close();
    }
}
