package io.ballast.policy.compress;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.wire.Frame;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/** The body of an HTTP/2 response on the only stream of its connection. */
final class Http2Body extends InputStream {

    private static final int STREAM = 1;

    private final Socket socket;
    private final DataInputStream in;
    private byte[] data = {};
    private int at;
    private boolean ended;

    Http2Body(Socket socket, String coding) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        byte[] head = FrameBytes.join(Http2Client.head("GET", "/"), FrameBytes.block("accept-encoding", coding));
        send(
                FrameBytes.PREFACE.getBytes(ISO_8859_1),
                FrameBytes.settings(),
                FrameBytes.headers(STREAM, /* ends= */ true, head));
    }

    private void send(byte[]... frames) throws IOException {
        socket.getOutputStream().write(FrameBytes.join(frames));
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        while (at == data.length && !ended) {
            readFrame();
        }
        if (at == data.length) {
            return -1;
        }
        int count = Math.min(length, data.length - at);
        System.arraycopy(data, at, target, from, count);
        at += count;
        return count;
    }

    private void readFrame() throws IOException {
        int word = in.readInt();
        int flags = in.readUnsignedByte();
        in.readInt();
        byte[] payload = new byte[word >>> 8];
        in.readFully(payload);
        int type = word & 0xff;
        if (type == Frame.RST_STREAM || type == Frame.GOAWAY) {
            throw new EOFException("the stream was reset");
        }
        boolean mayEnd = type == Frame.DATA || type == Frame.HEADERS;
        ended = mayEnd && (flags & Frame.END_STREAM) != 0;
        if (type == Frame.DATA) {
            data = payload;
            at = 0;
            if (payload.length > 0 && !ended) {
                send(FrameBytes.windowUpdate(0, payload.length), FrameBytes.windowUpdate(STREAM, payload.length));
            }
        }
    }
}
