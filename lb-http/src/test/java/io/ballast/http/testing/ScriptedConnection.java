package io.ballast.http.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** The backend side of a connection, for scripts. Confined to the connection's thread. */
public final class ScriptedConnection {

    private final TestBackend backend;
    private final Socket socket;
    private final Socket plain;
    private final OutputStream out;
    private final InputStream in;
    private final Http1Reader wire;

    /** @param plain the socket below TLS; the same socket without TLS */
    ScriptedConnection(TestBackend backend, Socket socket, Socket plain) throws IOException {
        this.backend = backend;
        this.socket = socket;
        this.plain = plain;
        this.out = socket.getOutputStream();
        this.in = new BufferedInputStream(backend.counting(socket.getInputStream()));
        this.wire = new Http1Reader(in);
    }

    /** Reads and records a whole request by its framing; returns it unchanged. */
    public String readRequest() throws IOException {
        String head = readHead();
        String request = head + readBody(head);
        backend.record(request);
        return request;
    }

    /** Reads only the head of a request and does not record it. */
    public String readHead() throws IOException {
        String head = wire.head();
        if (head == null) {
            throw new IOException("closed before a request");
        }
        return head;
    }

    /** Reads the body of a request with this head. */
    public String readBody(String head) throws IOException {
        if (Http1Reader.isChunked(head)) {
            ByteArrayOutputStream raw = new ByteArrayOutputStream();
            wire.chunked(raw, new ByteArrayOutputStream());
            return Http1Reader.text(raw.toByteArray());
        }
        String length = Http1Reader.header(head, "Content-Length");
        return length == null ? "" : Http1Reader.text(wire.exactly(Long.parseLong(length)));
    }

    /** Reads exactly {@code length} bytes. */
    public byte[] readExactly(int length) throws IOException {
        return wire.exactly(length);
    }

    /** Reads to the end of the stream. */
    public byte[] readToEnd() throws IOException {
        return wire.toEnd();
    }

    /** Discards data to the end of the stream; returns whether it ended with a reset. */
    public boolean endsInReset() throws IOException {
        try {
            readToEnd();
            return false;
        } catch (SocketException e) {
            return true;
        }
    }

    /** Starts TLS as a server; all plain data must have been read. */
    public ScriptedConnection secure(SSLContext context) throws IOException {
        InputStream readAhead = new ByteArrayInputStream(in.readNBytes(in.available()));
        SSLSocket secured =
                (SSLSocket) context.getSocketFactory().createSocket(plain, readAhead, /* autoClose= */ true);
        return new ScriptedConnection(backend, secured, plain);
    }

    /** Echoes data until the end of the stream. */
    public void echo() throws IOException {
        in.transferTo(out);
    }

    /** Half-closes the connection; reading remains possible. */
    public ScriptedConnection finishSending() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    public ScriptedConnection send(String raw) throws IOException {
        return send(Http1Reader.bytes(raw));
    }

    public ScriptedConnection send(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
        return this;
    }

    /** Waits until the test opens the latch. */
    public ScriptedConnection await(CountDownLatch latch) throws IOException, InterruptedException {
        if (!latch.await(TestTimeout.LIMIT_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new IOException("the latch was not opened");
        }
        return this;
    }

    /** Discards data until the balancer closes the connection. */
    public void awaitClose() {
        try {
            while (in.read() >= 0) {}
        } catch (IOException e) {
            // a reset also ends it
        }
    }

    public void close() throws IOException {
        socket.close();
    }

    /** Closes the connection without a TLS close_notify. */
    public void cut() throws IOException {
        plain.close();
    }

    /** Closes the connection with a reset. */
    public void reset() throws IOException {
        plain.setSoLinger(true, 0);
        plain.close();
    }

    /** Whether another request starts; false if the connection ended instead. */
    boolean hasMore() {
        try {
            in.mark(1);
            int b = in.read();
            in.reset();
            return b >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    public boolean isOpen() {
        return !socket.isClosed() && !plain.isClosed();
    }
}
