package io.ballast.http.testing;

import io.ballast.core.config.HostPort;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A backend that echoes all datagrams. */
public final class DatagramEcho implements AutoCloseable {

    private final DatagramSocket socket;
    private final Set<SocketAddress> clients = ConcurrentHashMap.newKeySet();

    public DatagramEcho() throws IOException {
        socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::serve, "echo");
        thread.setDaemon(true);
        thread.start();
    }

    private void serve() {
        DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
        try {
            while (true) {
                packet.setLength(65_536);
                socket.receive(packet);
                clients.add(packet.getSocketAddress());
                socket.send(packet);
            }
        } catch (IOException e) {
            // closed
        }
    }

    public HostPort address() {
        return new HostPort("127.0.0.1", socket.getLocalPort());
    }

    /** Number of different client addresses and ports. */
    public int clients() {
        return clients.size();
    }

    @Override
    public void close() {
        socket.close();
    }
}
