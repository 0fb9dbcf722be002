package io.ballast.http.testing;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads HTTP/1.1 from a stream. Lines are read byte by byte; text is ISO 8859-1. */
final class Http1Reader {

    private final InputStream in;

    Http1Reader(InputStream in) {
        this.in = in;
    }

    /** Reads a head with its empty line; null if the stream ends before it. */
    @Nullable String head() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || head.lastIndexOf("\r\n\r\n") != head.length() - 4) {
            int b = in.read();
            if (b < 0) {
                if (head.length() == 0) {
                    return null;
                }
                throw new EOFException("the stream ends in a head: " + head);
            }
            head.append((char) b);
        }
        return head.toString();
    }

    byte[] exactly(long length) throws IOException {
        byte[] body = in.readNBytes(Math.toIntExact(length));
        if (body.length < length) {
            throw new EOFException("the stream ends after " + body.length + " of " + length + " bytes");
        }
        return body;
    }

    byte[] toEnd() throws IOException {
        return in.readAllBytes();
    }

    /**
     * Reads chunks and trailers. Writes them unchanged to {@code raw}, and only the data of the chunks to {@code data}.
     */
    void chunked(ByteArrayOutputStream raw, ByteArrayOutputStream data) throws IOException {
        while (true) {
            String sizeLine = line(raw);
            int size = Integer.parseInt(sizeLine.split(";")[0], 16);
            if (size == 0) {
                break;
            }
            byte[] chunk = exactly(size);
            raw.write(chunk);
            data.write(chunk);
            if (!line(raw).isEmpty()) {
                throw new IOException("no line end behind a chunk");
            }
        }
        while (!line(raw).isEmpty()) {}
    }

    private String line(ByteArrayOutputStream raw) throws IOException {
        StringBuilder line = new StringBuilder();
        while (line.length() < 2 || line.lastIndexOf("\r\n") != line.length() - 2) {
            int b = in.read();
            if (b < 0) {
                throw new EOFException("the stream ends in a line: " + line);
            }
            raw.write(b);
            line.append((char) b);
        }
        return line.substring(0, line.length() - 2);
    }

    /** Returns the value of the first header with this name, or null. */
    static @Nullable String header(String head, String name) {
        for (String line : head.split("\r\n")) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).equalsIgnoreCase(name)) {
                return line.substring(colon + 1).strip();
            }
        }
        return null;
    }

    static boolean isChunked(String head) {
        String coding = header(head, "Transfer-Encoding");
        return coding != null && coding.toLowerCase(Locale.ROOT).endsWith("chunked");
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
