package io.ballast.discovery.docker;

import io.ballast.discovery.remote.HttpStatusException;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * The response to one request; each request uses its own connection. The body has a Content-Length, is
 * chunked, or ends with the connection (<a href="https://datatracker.ietf.org/doc/html/rfc9112#section-6">RFC
 * 9112, section 6</a>). Confined to one thread.
 */
final class DaemonResponse implements AutoCloseable {

    private static final int OK = 200;
    private static final int MAX_LINE = 8 << 10;
    private static final int MAX_FIELDS = 100;
    private static final int MAX_REFUSAL = 64 << 10;
    private static final int PIECE = 16 << 10;
    private static final long MAX_CHUNK = 1L << 40;

    private final UnixConnection connection;
    private int status;
    private boolean isChunked;
    private long remaining = Long.MAX_VALUE; // remaining bytes of the body, or of the current chunk
    private boolean hasLength;
    private boolean ended;

    private DaemonResponse(UnixConnection connection) {
        this.connection = connection;
    }

    /**
     * Sends a request and returns the response as soon as its head has arrived.
     *
     * @param target path and query
     * @param timeout the time limit for each read
     * @throws HttpStatusException if the status is not 200
     */
    static DaemonResponse request(Path socket, String target, Duration timeout)
            throws IOException, InterruptedException {
        UnixConnection connection = UnixConnection.open(socket, timeout);
        try {
            connection.send(("GET " + target
                            + " HTTP/1.1\r\nHost: docker\r\nAccept: application/json\r\nConnection: close\r\n\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
            DaemonResponse answer = new DaemonResponse(connection);
            answer.readHead();
            if (answer.status != OK) {
                throw new HttpStatusException(answer.status, answer.readAll(MAX_REFUSAL));
            }
            return answer;
        } catch (IOException | InterruptedException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private void readHead() throws IOException, InterruptedException {
        String line = connection.readLine(MAX_LINE);
        if (!line.matches("HTTP/1\\.[01] [1-9][0-9]{2}( .*)?")) {
            throw new IOException("not an HTTP/1.1 response: " + line.substring(0, Math.min(100, line.length())));
        }
        status = Integer.parseInt(line.substring(9, 12));
        int fields = 0;
        for (line = connection.readLine(MAX_LINE); !line.isEmpty(); line = connection.readLine(MAX_LINE)) {
            if (++fields > MAX_FIELDS) {
                throw new IOException("the response has more than " + MAX_FIELDS + " header fields");
            }
            parseHeader(line.toLowerCase(Locale.ROOT));
        }
        if (isChunked) {
            remaining = 0;
        }
        ended = hasLength && !isChunked && remaining == 0;
    }

    private void parseHeader(String line) throws IOException {
        int colon = line.indexOf(':');
        String value = line.substring(colon + 1).strip();
        if (line.startsWith("content-length:")) {
            if (!value.matches("[0-9]{1,12}")) {
                throw new IOException("Content-Length: " + value + " (expected: a number)");
            }
            remaining = Long.parseLong(value);
            hasLength = true;
        } else if (line.startsWith("transfer-encoding:")) {
            if (!value.equals("chunked")) {
                throw new IOException("Transfer-Encoding: " + value + " (expected: chunked)");
            }
            isChunked = true;
        }
    }

    /** Waits for more data or the end of the body; returns whether either has arrived. */
    boolean awaitMore(Duration wait) throws IOException, InterruptedException {
        return ended || connection.awaitInput(wait);
    }

    /**
     * Reads a part of the body; returns the number of bytes, or -1 at its end.
     *
     * @throws EOFException if the connection ends before the body is complete
     */
    int read(byte[] bytes) throws IOException, InterruptedException {
        if (isChunked && remaining == 0 && !ended) {
            beginChunk();
        }
        if (ended) {
            return -1;
        }
        int count = connection.read(bytes, (int) Math.min(bytes.length, remaining));
        if (count < 0) {
            if (isChunked || hasLength) {
                throw new EOFException("response is truncated");
            }
            ended = true;
            return -1;
        }
        if (isChunked || hasLength) {
            remaining -= count;
        }
        if (remaining == 0) {
            endPiece();
        }
        return count;
    }

    private void endPiece() throws IOException, InterruptedException {
        if (!isChunked) {
            ended = true;
        } else if (!connection.readLine(MAX_LINE).isEmpty()) {
            throw new IOException("chunk is longer than its size");
        }
    }

    private void beginChunk() throws IOException, InterruptedException {
        String size = connection.readLine(MAX_LINE).replaceFirst(";.*", "").strip();
        if (!size.matches("[0-9a-fA-F]{1,12}") || Long.parseLong(size, 16) > MAX_CHUNK) {
            throw new IOException("chunk size: " + size.substring(0, Math.min(20, size.length()))
                    + " (expected: a hexadecimal number)");
        }
        remaining = Long.parseLong(size, 16);
        if (remaining == 0) {
            int fields = 0;
            while (!connection.readLine(MAX_LINE).isEmpty()) {
                if (++fields > MAX_FIELDS) {
                    throw new IOException("the response has more than " + MAX_FIELDS + " trailer fields");
                }
            }
            ended = true;
        }
    }

    /** Reads the whole body of at most {@code max} bytes. */
    byte[] readAll(int max) throws IOException, InterruptedException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        byte[] piece = new byte[PIECE];
        for (int count = read(piece); count >= 0; count = read(piece)) {
            whole.write(piece, 0, count);
            if (whole.size() > max) {
                throw new IOException("the response is larger than " + max + " bytes");
            }
        }
        return whole.toByteArray();
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
