package io.ballast.http.testing;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;

/** A client that sends datagrams from its own port. */
public final class DatagramClient implements AutoCloseable {

    private final DatagramSocket socket;

    public DatagramClient(int port) throws IOException {
        socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        socket.connect(InetAddress.getLoopbackAddress(), port);
    }

    public void send(String text) throws IOException {
        byte[] bytes = Http1Reader.bytes(text);
        socket.send(new DatagramPacket(bytes, bytes.length));
    }

    /** Waits for the next datagram. */
    public String receive(Duration max) throws IOException {
        socket.setSoTimeout((int) max.toMillis());
        DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
        socket.receive(packet);
        return Http1Reader.text(Arrays.copyOf(packet.getData(), packet.getLength()));
    }

    /** Sends a datagram and waits for the response. */
    public String request(String text) throws IOException {
        send(text);
        return receive(TestTimeout.LIMIT);
    }

    @Override
    public void close() {
        socket.close();
    }
}
