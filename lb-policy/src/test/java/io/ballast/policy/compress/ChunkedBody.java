package io.ballast.policy.compress;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/** The body of an HTTP/1.1 response without its chunked coding. */
final class ChunkedBody extends InputStream {

    private final InputStream in;
    private boolean started;
    private boolean ended;
    private int remaining;

    ChunkedBody(Socket socket, String coding) throws IOException {
        this.in = new BufferedInputStream(socket.getInputStream());
        socket.getOutputStream()
                .write(HttpVersion.request("GET", "Accept-Encoding", coding).getBytes(ISO_8859_1));
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        if (!started) {
            started = true;
            while (!line().isEmpty()) {}
            nextChunk();
        } else if (remaining == 0 && !ended) {
            line();
            nextChunk(); // only when more data is needed, because the next chunk may arrive much later
        }
        if (ended) {
            return -1;
        }
        int count = in.read(target, from, Math.min(length, remaining));
        if (count < 0) {
            throw new EOFException("the connection ended in a chunk");
        }
        remaining -= count;
        return count;
    }

    private void nextChunk() throws IOException {
        remaining = Integer.parseInt(line(), 16);
        if (remaining == 0) {
            while (!line().isEmpty()) {}
            ended = true;
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the connection ended before the last chunk");
            }
            line.append((char) b);
        }
        return line.toString().strip();
    }
}
