package io.ballast.http.h2.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.h2.wire.HpackDecoder;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.testing.ClientSocket;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A test client that sends arbitrary HTTP/2 frames and sorts received frames by stream. It acknowledges settings, and
 * sends window updates unless disabled. Confined to the test's thread.
 */
public final class Http2Client implements AutoCloseable {

    private final Socket socket;
    private final DataInputStream in;
    private final HpackDecoder decoder = new HpackDecoder();
    private final Map<Integer, Http2Response> responses = new HashMap<>();
    private final long[] counts = new long[256];
    private final List<Integer> dataFrames = new ArrayList<>();
    private final Map<Integer, Integer> settings = new HashMap<>();
    private boolean opensWindows = true;
    private int nextStream = 1;
    private long window = Setting.DEFAULT_WINDOW;
    private long streamWindow = Setting.DEFAULT_WINDOW;
    private int goAwayCode = -1;
    private int goAwayStream = -1;
    private int goAways;
    private int sizeUpdates;
    private long syncs;
    private long synced;
    private boolean over;

    private Http2Client(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    /** Connects and sends the preface and these settings: identifiers and values, alternating. */
    public static Http2Client connect(int port, int... settings) {
        Http2Client client = silent(port);
        return client.send(FrameBytes.PREFACE.getBytes(ISO_8859_1)).send(FrameBytes.settings(settings));
    }

    /** Starts HTTP/2 on an existing connection. */
    public static Http2Client on(Socket socket, int... settings) {
        try {
            return new Http2Client(socket)
                    .send(FrameBytes.PREFACE.getBytes(ISO_8859_1))
                    .send(FrameBytes.settings(settings));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Connects and sends nothing. */
    public static Http2Client silent(int port) {
        return silent(port, /* receiveBuffer= */ 0);
    }

    /** @param receiveBuffer size of the socket's receive buffer; 0 for the default */
    public static Http2Client silent(int port, int receiveBuffer) {
        try {
            Socket socket = ClientSocket.connect(port, receiveBuffer);
            return new Http2Client(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Disables automatic window updates. */
    public Http2Client keepingWindows() {
        opensWindows = false;
        return this;
    }

    public Http2Client send(byte[]... frames) {
        try {
            socket.getOutputStream().write(FrameBytes.join(frames));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Sends frames; returns false if the other side has closed the connection. */
    public boolean trySend(byte[]... frames) {
        try {
            socket.getOutputStream().write(FrameBytes.join(frames));
            return true;
        } catch (IOException e) {
            return false; // closed by the other side
        }
    }

    /** Returns the next stream number, for frames made by the test. */
    public int newStream() {
        int stream = nextStream;
        nextStream += 2;
        return stream;
    }

    /** Sends a GET; returns the stream. */
    public int get(String path, String... more) {
        return request(/* ends= */ true, "GET", path, more);
    }

    /** Sends the head of a POST; returns the stream. */
    public int post(String path, String... more) {
        return request(/* ends= */ false, "POST", path, more);
    }

    /** Sends a head with these further fields; returns the stream. */
    public int request(boolean ends, String method, String path, String... more) {
        int stream = newStream();
        send(FrameBytes.headers(stream, ends, FrameBytes.join(head(method, path), FrameBytes.block(more))));
        return stream;
    }

    public static byte[] head(String method, String path) {
        return FrameBytes.block(":method", method, ":scheme", "http", ":path", path, ":authority", "a");
    }

    /** Sends data in frames as large as the windows allow; waits for window updates. */
    public Http2Client upload(int stream, boolean ends, byte[] data) {
        int sent = 0;
        while (sent < data.length) {
            int rest = data.length - sent;
            await("a window", () -> mayUpload(stream) > 0);
            int length = (int) Math.min(Math.min(rest, Frame.MAX_PAYLOAD_BYTES), mayUpload(stream));
            byte[] piece = Arrays.copyOfRange(data, sent, sent + length);
            send(FrameBytes.data(stream, ends && length == rest, piece));
            spend(stream, length);
            sent += length;
        }
        return this;
    }

    /** Subtracts {@code bytes} from the windows. */
    public void spend(int stream, int bytes) {
        response(stream).window -= bytes;
        window -= bytes;
    }

    /** The number of data bytes that the client may send on a stream now. */
    public long mayUpload(int stream) {
        return Math.min(window, response(stream).window + streamWindow);
    }

    /** Returns the response received so far on a stream. */
    public Http2Response response(int stream) {
        return responses.computeIfAbsent(stream, number -> new Http2Response());
    }

    /** Reads until the stream has ended or was reset. */
    public Http2Response read(int stream) {
        Http2Response response = response(stream);
        await("the end of stream " + stream, response::isEnded);
        return response;
    }

    /** Drops a response that was read, for tests with many requests. */
    public void forget(int stream) {
        responses.remove(stream);
    }

    /** Sends a PING and reads until its reply: all frames sent before have been handled. */
    public Http2Client sync() {
        send(FrameBytes.ping(++syncs));
        return await("an answer to a ping", () -> synced == syncs);
    }

    /** Like {@link #sync}, but returns false if the connection ends or is about to end. */
    public boolean trySync() {
        if (!trySend(FrameBytes.ping(++syncs))) {
            return false;
        }
        while (!over && goAways == 0 && synced < syncs) {
            readFrame();
        }
        return !over && goAways == 0;
    }

    /** Reads frames until the condition holds. */
    public Http2Client await(String what, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (over || !readFrame()) {
                throw new AssertionError("the connection ended (GOAWAY " + goAwayCode + ") before " + what);
            }
        }
        return this;
    }

    /** Reads until the connection ends; returns the code of the last GOAWAY, null if there was none. */
    public ErrorCode readToEnd() {
        while (!over && readFrame()) {}
        if (goAwayCode < 0) {
            throw new AssertionError("the connection ended without a GOAWAY");
        }
        return ErrorCode.values()[goAwayCode];
    }

    /** Reads until the connection ends, with or without GOAWAY. */
    public void readAll() {
        while (!over && readFrame()) {}
    }

    /** Streams of all DATA frames, in order of arrival. */
    public List<Integer> dataFrames() {
        return dataFrames;
    }

    /** Value of a received setting; null if there is none. */
    public @Nullable Integer setting(int identifier) {
        return settings.get(identifier);
    }

    /** Number of received frames of this type. */
    public long count(int type) {
        return counts[type];
    }

    /** Last stream of the GOAWAY frame. */
    public int goAwayStream() {
        return goAwayStream;
    }

    /** Number of header blocks that started with a table size update. */
    public int sizeUpdates() {
        return sizeUpdates;
    }

    public int goAways() {
        return goAways;
    }

    private boolean readFrame() {
        try {
            byte[] header = in.readNBytes(Frame.HEADER_BYTES);
            if (header.length == 0) {
                over = true;
                return false;
            }
            ByteBuffer head = ByteBuffer.wrap(header);
            int word = head.getInt();
            byte[] payload = new byte[word >>> 8];
            in.readFully(payload);
            take(word & 0xff, head.get(), head.getInt(), payload);
            return true;
        } catch (SocketException | EOFException e) {
            over = true;
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void take(int type, int flags, int stream, byte[] payload) {
        counts[type]++;
        switch (type) {
            case Frame.DATA -> data(flags, stream, payload);
            case Frame.HEADERS -> headers(flags, stream, payload);
            case Frame.RST_STREAM -> {
                Http2Response response = response(stream);
                if (!response.ended) {
                    response.resetCode = ByteBuffer.wrap(payload).getInt();
                }
                response.ended = true;
            }
            case Frame.SETTINGS -> settings(flags, payload);
            case Frame.GOAWAY -> {
                goAways++;
                goAwayStream = ByteBuffer.wrap(payload).getInt();
                goAwayCode = ByteBuffer.wrap(payload).getInt(4);
            }
            case Frame.WINDOW_UPDATE -> {
                int increment = ByteBuffer.wrap(payload).getInt();
                if (stream == 0) {
                    window += increment;
                } else {
                    response(stream).window += increment;
                }
            }
            case Frame.PING -> synced = ByteBuffer.wrap(payload).getLong();
            default -> throw new AssertionError("a frame of type " + type);
        }
    }

    private void data(int flags, int stream, byte[] payload) {
        Http2Response response = response(stream);
        if (response.ended) {
            throw new AssertionError("data on stream " + stream + ", which has ended");
        }
        response.data.writeBytes(payload);
        dataFrames.add(stream);
        response.ended = (flags & Frame.END_STREAM) != 0;
        if (opensWindows && payload.length > 0) {
            trySend(FrameBytes.windowUpdate(0, payload.length));
            if (!response.ended) {
                trySend(FrameBytes.windowUpdate(stream, payload.length));
            }
        }
    }

    private void headers(int flags, int stream, byte[] block) {
        Http2Response response = response(stream);
        if ((flags & Frame.END_HEADERS) == 0 || response.ended) {
            throw new AssertionError("headers with flags " + flags + " on stream " + stream);
        }
        if ((block[0] & 0xe0) == 0x20) {
            sizeUpdates++;
        }
        List<String> fields = new ArrayList<>();
        boolean good = decoder.decode(
                block,
                0,
                block.length,
                (names, nameFrom, nameLength, values, valueFrom, valueLength) ->
                        fields.add(new String(names, nameFrom, nameLength, ISO_8859_1) + ": "
                                + new String(values, valueFrom, valueLength, ISO_8859_1)));
        if (!good) {
            throw new AssertionError("a header block that cannot be decoded");
        }
        response.blocks.add(fields);
        response.ended = (flags & Frame.END_STREAM) != 0;
    }

    private void settings(int flags, byte[] payload) {
        if ((flags & Frame.ACK) != 0) {
            return;
        }
        ByteBuffer pairs = ByteBuffer.wrap(payload);
        while (pairs.hasRemaining()) {
            int setting = pairs.getShort();
            int value = pairs.getInt();
            settings.put(setting, value);
            if (setting == Setting.INITIAL_WINDOW_SIZE) {
                streamWindow = value;
            }
        }
        trySend(FrameBytes.frame(Frame.SETTINGS, Frame.ACK, 0));
    }

    /** Closes the connection with a reset, like a process that crashes with unread data. */
    public void reset() {
        ClientSocket.reset(socket);
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
