package io.ballast.dns.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.xbill.DNS.Message;

/** A client connection that sends and receives length-prefixed bytes. */
public final class StreamClient implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 10_000;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;

    public StreamClient(InetSocketAddress server) throws IOException {
        this(new Socket(server.getAddress(), server.getPort()));
    }

    /** Takes ownership of a connected socket. */
    public StreamClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        this.in = new DataInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    /** Sends a query and returns its answer. */
    public Message query(String name, int type) throws IOException {
        send(framed(Messages.query(name, type).toWire()));
        return receive();
    }

    public void send(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    public Message receive() throws IOException {
        byte[] message = new byte[in.readUnsignedShort()];
        in.readFully(message);
        return Messages.parse(message);
    }

    /** Half-closes the connection; reading remains possible. */
    public void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Waits until the server closes the connection; fails if the server sends data first. */
    public void awaitEnd() throws IOException {
        try {
            assertThat(in.read()).isEqualTo(-1);
        } catch (EOFException | SocketException e) {
            // A reset also ends the connection.
        }
    }

    public static byte[] framed(byte[] message) {
        return ByteBuffer.allocate(2 + message.length)
                .putShort((short) message.length)
                .put(message)
                .array();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
