package io.ballast.policy.compress;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.ballast.http.testing.ClientSocket;
import io.ballast.http.testing.TestBalancer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads and decodes one compressed response as it arrives, without buffering more than one frame or chunk. Its socket
 * has a small receive buffer.
 */
final class StreamReader implements AutoCloseable {

    private static final int RECEIVE_BUFFER = 16 * 1024;

    private final CRC32 checksum = new CRC32();
    private final Socket socket;
    private final InputStream body;
    private final String coding;
    private @Nullable InputStream decoded;

    private StreamReader(Socket socket, InputStream body, String coding) {
        this.socket = socket;
        this.body = body;
        this.coding = coding;
    }

    /** Sends a GET that accepts gzip on a new connection. */
    static StreamReader get(HttpVersion version, TestBalancer balancer) throws IOException {
        return get(version, balancer, "gzip");
    }

    /** Sends a GET that accepts one coding on a new connection. */
    static StreamReader get(HttpVersion version, TestBalancer balancer, String coding) throws IOException {
        Socket socket = ClientSocket.connect(balancer.port(), RECEIVE_BUFFER);
        InputStream body =
                version == HttpVersion.HTTP_1 ? new ChunkedBody(socket, coding) : new Http2Body(socket, coding);
        return new StreamReader(socket, body, coding);
    }

    private InputStream decoded() throws IOException {
        InputStream known = decoded;
        if (known == null) {
            known = new CheckedInputStream(Decoders.streaming(coding, body), checksum);
            decoded = known;
        }
        return known;
    }

    /** Reads this many decoded bytes. */
    String read(int length) throws IOException {
        byte[] bytes = decoded().readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the body ended after " + bytes.length + " bytes");
        }
        return new String(bytes, ISO_8859_1);
    }

    /** Reads the rest, and checks that it is complete; returns the number of decoded bytes. */
    long readToEnd() throws IOException {
        return decoded().transferTo(OutputStream.nullOutputStream());
    }

    /** The CRC-32 of all decoded bytes. */
    long checksum() {
        return checksum.getValue();
    }

    /** Reads to the end of the response; returns whether the client can see that the response is incomplete. */
    boolean isCut() throws IOException {
        try {
            body.transferTo(OutputStream.nullOutputStream());
            return false;
        } catch (EOFException | SocketException e) {
            return true;
        }
    }

    /** Closes the connection with a reset. */
    void reset() {
        ClientSocket.reset(socket);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
