package io.ballast.dns.forward.upstream;

import io.ballast.net.testing.FreePort;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A server on one UDP and TCP port that only acts when the test requests it. */
final class FakeServer implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 20_000;
    private static final int QR = 0x80;

    private final DatagramSocket udp;
    private final ServerSocket tcp;

    FakeServer() throws IOException {
        this(0, new ServerSocket());
    }

    /** @param unbound socket that accepts connections */
    FakeServer(int backlog, ServerSocket unbound) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        tcp = unbound;
        tcp.bind(new InetSocketAddress(loopback, FreePort.find()), backlog);
        tcp.setSoTimeout(TIMEOUT_MILLIS);
        udp = new DatagramSocket(tcp.getLocalPort(), loopback);
        udp.setSoTimeout(TIMEOUT_MILLIS);
    }

    /** A UDP query. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Query(byte[] bytes, SocketAddress from) {

        int port() {
            return ((InetSocketAddress) from).getPort();
        }

        int id() {
            return ByteBuffer.wrap(bytes).getShort() & 0xffff;
        }
    }

    /** Returns a minimal response to a query. */
    static byte[] response(byte[] query) {
        byte[] response = query.clone();
        response[2] |= (byte) QR;
        return response;
    }

    InetSocketAddress address() {
        return (InetSocketAddress) tcp.getLocalSocketAddress();
    }

    Query receive() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
        udp.receive(packet);
        return new Query(Arrays.copyOf(packet.getData(), packet.getLength()), packet.getSocketAddress());
    }

    void send(byte[] message, SocketAddress to) throws IOException {
        udp.send(new DatagramPacket(message, message.length, to));
    }

    void answer(Query query) throws IOException {
        send(response(query.bytes()), query.from());
    }

    Connection accept() throws IOException {
        return new Connection(tcp.accept());
    }

    /** Closes the UDP socket. */
    void closeUdp() {
        udp.close();
    }

    @Override
    public void close() throws IOException {
        udp.close();
        tcp.close();
    }

    /** The server side of a connection. */
    static final class Connection implements AutoCloseable {

        private final Socket socket;
        private final DataInputStream in;
        private final DataOutputStream out;

        Connection(Socket socket) throws IOException {
            this.socket = socket;
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            this.in = new DataInputStream(socket.getInputStream());
            this.out = new DataOutputStream(socket.getOutputStream());
        }

        byte[] receive() throws IOException {
            return in.readNBytes(in.readUnsignedShort());
        }

        static byte[] framed(byte[] message) {
            return ByteBuffer.allocate(2 + message.length)
                    .putShort((short) message.length)
                    .put(message)
                    .array();
        }

        void send(byte[] message) throws IOException {
            sendBytes(framed(message));
        }

        void sendBytes(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        void answer() throws IOException {
            send(response(receive()));
        }

        /** Waits until the peer closes the connection; returns false if the peer sends data first. */
        boolean hasEnded() throws IOException {
            return in.read() == -1;
        }

        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
