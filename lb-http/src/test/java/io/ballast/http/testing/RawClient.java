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

/** A client that sends arbitrary bytes and parses responses strictly by their framing. */
public final class RawClient implements AutoCloseable {

    /** How a connection ended. */
    public enum Ending {
        CLOSED,
        RESET
    }

    private final Socket socket;
    /** The socket below TLS. */
    private final Socket plain;

    private final OutputStream out;
    private final InputStream in;
    private final Http1Reader wire;

    private RawClient(Socket socket, Socket plain) throws IOException {
        this.socket = socket;
        this.plain = plain;
        this.out = socket.getOutputStream();
        this.in = new BufferedInputStream(socket.getInputStream());
        this.wire = new Http1Reader(in);
    }

    public static RawClient connect(int port) {
        return connect(port, /* receiveBuffer= */ 0);
    }

    /** Connects to a Unix socket, without a timeout. */
    public static RawClient connect(UnixSocket address) {
        try {
            Socket socket = UnixStream.connect(address);
            return new RawClient(socket, socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param receiveBuffer size of the socket's receive buffer; 0 for the default */
    public static RawClient connect(int port, int receiveBuffer) {
        try {
            Socket socket = ClientSocket.connect(port, receiveBuffer);
            return new RawClient(socket, socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Connects with TLS and completes the handshake. */
    public static RawClient connect(int port, SSLContext tls, String server) {
        return connect(port, /* receiveBuffer= */ 0, tls, server);
    }

    /** Connects with TLS and a receive buffer of this size. */
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

    /** The TLS session. */
    public SSLSession session() {
        return ((SSLSocket) socket).getSession();
    }

    /** Sends each piece in its own write. */
    public RawClient send(String... pieces) {
        for (String piece : pieces) {
            send(Http1Reader.bytes(piece));
        }
        return this;
    }

    public RawClient send(byte[] bytes) {
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Sends one byte per write. */
    public RawClient sendSlowly(String text) {
        return send(text.split(""));
    }

    /** Reads one response to a request other than HEAD. */
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
        if (Http1Reader.isChunked(head)) {
            ByteArrayOutputStream raw = new ByteArrayOutputStream();
            ByteArrayOutputStream data = new ByteArrayOutputStream();
            wire.chunked(raw, data);
            return new RawResponse(head, Http1Reader.text(raw.toByteArray()), Http1Reader.text(data.toByteArray()));
        }
        String length = Http1Reader.header(head, "Content-Length");
        String body = Http1Reader.text(length == null ? wire.toEnd() : wire.exactly(Long.parseLong(length)));
        return new RawResponse(head, body, body);
    }

    /** Reads the head of a response, without its body. */
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

    /** Reads exactly {@code length} bytes. */
    public String readExactly(int length) {
        try {
            return Http1Reader.text(wire.exactly(length));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads until the balancer closes or resets the connection. */
    public String readToEnd() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try {
            for (int b = in.read(); b >= 0; b = in.read()) {
                all.write(b);
            }
        } catch (SocketException e) {
            return Http1Reader.text(all.toByteArray()); // reset: return the data before it
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Http1Reader.text(all.toByteArray());
    }

    /** Waits for the end of the connection; further data is an error. */
    public Ending awaitEnd() {
        try {
            int b = in.read();
            if (b >= 0) {
                throw new AssertionError("more came: " + (char) b + readToEnd());
            }
            return Ending.CLOSED;
        } catch (SocketException e) {
            return Ending.RESET;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Discards data to the end of the connection; returns how it ended. */
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

    /** Half-closes the connection; reading remains possible. */
    public RawClient finishSending() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Half-closes the connection below TLS, without close_notify. */
    public RawClient finishSendingWithoutGoodbye() {
        try {
            plain.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Closes the connection with a reset, like a process that crashes with unread data. */
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
