package io.ballast.http.testing;

import io.ballast.core.config.UnixSocket;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

/** A client that sends what it is told, octet for octet, and reads responses strictly by their framing. */
public final class RawClient implements AutoCloseable {

    /** How a connection ended. */
    public enum Ending {
        CLOSED,
        RESET
    }

    private final Socket socket;
    /** What is below TLS. */
    private final Socket plain;

    private final OutputStream out;
    private final InputStream in;
    private final Wire wire;

    private RawClient(Socket socket, Socket plain) throws IOException {
        this.socket = socket;
        this.plain = plain;
        this.out = socket.getOutputStream();
        this.in = new BufferedInputStream(socket.getInputStream());
        this.wire = new Wire(in);
    }

    public static RawClient connect(int port) {
        return connect(port, /* receiveBuffer= */ 0);
    }

    /** By a Unix socket; without a timeout. */
    public static RawClient connect(UnixSocket address) {
        try {
            Socket socket = UnixStream.connect(address);
            return new RawClient(socket, socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param receiveBuffer how much the system may take in before this client reads; 0 for what is usual */
    public static RawClient connect(int port, int receiveBuffer) {
        try {
            Socket socket = ClientSocket.connect(port, receiveBuffer);
            return new RawClient(socket, socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The same by TLS; the handshake is done when it returns.
     *
     * @param server the name that the client asks for, and that the certificate must be made out for
     */
    public static RawClient connect(int port, SSLContext tls, String server) {
        return connect(port, /* receiveBuffer= */ 0, tls, server);
    }

    /** The same, with what the system may take in before this client reads. */
    public static RawClient connect(int port, int receiveBuffer, SSLContext tls, String server) {
        try {
            Socket plain = ClientSocket.connect(port, receiveBuffer);
            SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(plain, server, port, true);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return new RawClient(socket, plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What was agreed on with the server; only by TLS. */
    public SSLSession session() {
        return ((SSLSocket) socket).getSession();
    }

    /** Sends each piece in a write of its own. */
    public RawClient send(String... pieces) {
        for (String piece : pieces) {
            send(Wire.octets(piece));
        }
        return this;
    }

    public RawClient send(byte[] octets) {
        try {
            out.write(octets);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Sends one octet in each write. */
    public RawClient sendSlowly(String text) {
        return send(text.split(""));
    }

    /** Reads one response to a request that was not HEAD. */
    public RawResponse read() {
        return read(/* toHead= */ false);
    }

    /** Reads one response to a HEAD request. */
    public RawResponse readToHead() {
        return read(/* toHead= */ true);
    }

    private RawResponse read(boolean toHead) {
        try {
            return body(readHead(), toHead);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private RawResponse body(String head, boolean toHead) throws IOException {
        int status = Integer.parseInt(head.substring(9, 12));
        if (toHead || status < 200 || status == 204 || status == 304) {
            return new RawResponse(head, "", "");
        }
        if (Wire.isChunked(head)) {
            ByteArrayOutputStream raw = new ByteArrayOutputStream();
            ByteArrayOutputStream data = new ByteArrayOutputStream();
            wire.chunked(raw, data);
            return new RawResponse(head, Wire.text(raw.toByteArray()), Wire.text(data.toByteArray()));
        }
        String length = Wire.header(head, "Content-Length");
        String body = Wire.text(length == null ? wire.toEnd() : wire.exactly(Long.parseLong(length)));
        return new RawResponse(head, body, body);
    }

    /** Reads the head of a response and leaves its body. */
    public String readHead() {
        try {
            String head = wire.head();
            if (head == null) {
                throw new AssertionError("the connection was closed, a head was expected");
            }
            return head;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads that many octets. */
    public String readExactly(int length) {
        try {
            return Wire.text(wire.exactly(length));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads all that comes until the balancer closes or resets the connection. */
    public String readToEnd() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try {
            for (int octet = in.read(); octet >= 0; octet = in.read()) {
                all.write(octet);
            }
        } catch (SocketException e) {
            return Wire.text(all.toByteArray()); // reset: what came before counts
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Wire.text(all.toByteArray());
    }

    /** Waits for the end of the connection, before which nothing more may come. */
    public Ending awaitEnd() {
        try {
            int octet = in.read();
            if (octet >= 0) {
                throw new AssertionError("more came: " + (char) octet + readToEnd());
            }
            return Ending.CLOSED;
        } catch (SocketException e) {
            return Ending.RESET;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads all that comes, whatever it is, and tells how the connection ended. */
    public Ending endAfterAll() {
        try {
            while (in.read() >= 0) {}
            return Ending.CLOSED;
        } catch (SocketException e) {
            return Ending.RESET;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says that no more will be sent, and goes on reading. */
    public RawClient finishSending() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** The same below TLS, which says nothing of it. */
    public RawClient finishSendingWithoutGoodbye() {
        try {
            plain.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Closes with a reset, as a process that crashes with unread data does. */
    public void reset() {
        ClientSocket.reset(plain);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
