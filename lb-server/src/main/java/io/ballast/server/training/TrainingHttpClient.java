package io.ballast.server.training;

import io.ballast.core.config.HostPort;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client connection with minimal HTTP/1.1 support for keep-alive. Confined to one thread. */
final class TrainingHttpClient implements AutoCloseable {

    private static final int READ_TIMEOUT_MILLIS = 10_000;

    private final HostPort server;
    private final Socket socket;
    private final InputStream in;

    TrainingHttpClient(HostPort server) throws IOException {
        this.server = server;
        this.socket = new Socket(server.host(), server.port());
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** Sends a GET request, reads the response with its body, and returns its status. */
    int get(String path) throws IOException {
        return send(requestHead("GET", path) + "\r\n");
    }

    int post(String path, String body) throws IOException {
        return send(requestHead("POST", path) + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    int postChunked(String path, String body) throws IOException {
        String chunk = Integer.toHexString(body.length()) + "\r\n" + body + "\r\n";
        return send(requestHead("POST", path) + "Transfer-Encoding: chunked\r\n\r\n" + chunk + "0\r\n\r\n");
    }

    /** Requests an endless response, and reads only the head. */
    int begin(String path) throws IOException {
        write(requestHead("GET", path) + "\r\n");
        return readHead().status;
    }

    /** Sends the head and the first bytes of a larger body. */
    void beginUpload(String path, int bytes) throws IOException {
        write(requestHead("POST", path) + "Content-Length: " + 2L * bytes + "\r\n\r\n" + "x".repeat(bytes));
    }

    /** Closes the connection with a reset, which the server notices even if it does not read. */
    void reset() throws IOException {
        socket.setSoLinger(/* on= */ true, 0);
        socket.close();
    }

    int send(String request) throws IOException {
        write(request);
        Head head = readHead();
        in.skipNBytes(head.bodyBytes);
        return head.status;
    }

    void checkStatus(int wanted, int status) throws IOException {
        if (status != wanted) {
            throw new IOException(server + ": status " + status + " (expected: " + wanted + ")");
        }
    }

    private String requestHead(String method, String path) {
        return method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n";
    }

    private void write(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private Head readHead() throws IOException {
        String statusLine = readLine();
        int status = Integer.parseInt(statusLine.substring(statusLine.indexOf(' ') + 1, statusLine.indexOf(' ') + 4));
        int bodyBytes = 0;
        for (String line = readLine(); !line.isEmpty(); line = readLine()) {
            if (line.regionMatches(/* ignoreCase= */ true, 0, "content-length:", 0, 15)) {
                bodyBytes = Integer.parseInt(line.substring(15).strip());
            }
        }
        return new Head(status, bodyBytes);
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException(server + " closed the connection");
            }
            line.append((char) b);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private record Head(int status, int bodyBytes) {}
}
