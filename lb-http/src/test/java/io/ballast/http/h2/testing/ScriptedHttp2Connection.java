package io.ballast.http.h2.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.ballast.http.h2.wire.Frame;
import io.ballast.http.h2.wire.HpackDecoder;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.testing.TestTimeout;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The backend side of an HTTP/2 connection, for scripts; sends arbitrary frames. It acknowledges settings, and sends
 * window updates unless disabled. Protocol errors of the balancer fail the test. Confined to the connection's thread.
 */
public final class ScriptedHttp2Connection {

    private final Http2TestBackend backend;
    private final Socket socket;
    private final DataInputStream in;
    private final HpackDecoder decoder = new HpackDecoder();
    private final Map<Integer, Http2Request> requests = new LinkedHashMap<>();
    private final long[] counts = new long[256];
    private boolean opensWindows = true;
    private boolean acknowledges = true;
    private int lastStream;
    private int settingsAcks;
    private long window = Setting.DEFAULT_WINDOW;
    private long initialWindow = Setting.DEFAULT_WINDOW;
    private final Map<Integer, Long> streamWindows = new LinkedHashMap<>();
    private int goAwayCode = -1;
    private long pong;
    private long pings;

    ScriptedHttp2Connection(Http2TestBackend backend, Socket socket) throws IOException {
        this.backend = backend;
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    /** Reads the preface and sends these settings: identifiers and values, alternating. */
    public ScriptedHttp2Connection begin(int... settings) throws IOException {
        readPreface();
        return send(FrameBytes.settings(settings));
    }

    public ScriptedHttp2Connection readPreface() throws IOException {
        String preface = new String(in.readNBytes(FrameBytes.PREFACE.length()), ISO_8859_1);
        if (!preface.equals(FrameBytes.PREFACE)) {
            throw new AssertionError("instead of the preface: " + preface);
        }
        return this;
    }

    /** Reads an HTTP/1.1 request and responds to it. */
    public ScriptedHttp2Connection http1(String body) throws IOException {
        readHttp1Head();
        String answer = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        return send(answer.getBytes(ISO_8859_1));
    }

    /** Reads the head of an HTTP/1.1 request. */
    public String readHttp1Head() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        return head.toString();
    }

    /** Disables automatic acknowledgement of settings. */
    public ScriptedHttp2Connection keepingAcks() {
        acknowledges = false;
        return this;
    }

    /** Disables automatic window updates. */
    public ScriptedHttp2Connection keepingWindows() {
        opensWindows = false;
        return this;
    }

    public ScriptedHttp2Connection send(byte[]... bytes) throws IOException {
        socket.getOutputStream().write(FrameBytes.join(bytes));
        return this;
    }

    /** Responds with status 200, this body and no length. */
    public ScriptedHttp2Connection answer(Http2Request request, String body) throws IOException {
        return head(request, /* ends= */ false, ":status", "200").data(request, /* ends= */ true, body);
    }

    public ScriptedHttp2Connection head(Http2Request request, boolean ends, String... fields) throws IOException {
        return send(FrameBytes.headers(request.stream(), ends, FrameBytes.block(fields)));
    }

    public ScriptedHttp2Connection data(Http2Request request, boolean ends, String data) throws IOException {
        return send(FrameBytes.data(request.stream(), ends, data.getBytes(ISO_8859_1)));
    }

    /** Sends data in frames as large as the windows allow. */
    public ScriptedHttp2Connection upload(Http2Request request, boolean ends, byte[] data) throws IOException {
        int sent = 0;
        while (sent < data.length) {
            await("a window", () -> mayUpload(request) > 0);
            int length = (int) Math.min(Math.min(data.length - sent, Frame.MAX_PAYLOAD_BYTES), mayUpload(request));
            byte[] piece = Arrays.copyOfRange(data, sent, sent + length);
            sent += length;
            window -= length;
            streamWindows.merge(request.stream(), (long) -length, Long::sum);
            send(FrameBytes.data(request.stream(), ends && sent == data.length, piece));
        }
        return this;
    }

    /** Echoes all data of the stream until the request ends, then ends the stream. */
    public ScriptedHttp2Connection echo(Http2Request request) throws IOException {
        int sent = 0;
        boolean ended = false;
        while (!ended) {
            int before = sent;
            await("more to send back", () -> request.bodyBytes() > before || request.isEnded());
            ended = request.isEnded();
            byte[] all = request.bytes();
            upload(request, /* ends= */ false, Arrays.copyOfRange(all, before, all.length));
            sent = all.length;
        }
        return data(request, /* ends= */ true, "");
    }

    public long mayUpload(Http2Request request) {
        return Math.min(window, initialWindow + streamWindows.getOrDefault(request.stream(), 0L));
    }

    /** Reads until the head of a new request has arrived; its body follows later. */
    public Http2Request nextHead() throws IOException {
        while (true) {
            for (Http2Request request : requests.values()) {
                if (!request.seenHead && !request.blocks.isEmpty()) {
                    request.seenHead = true;
                    request.seen = true;
                    return request;
                }
            }
            readFrame();
        }
    }

    /** Reads until a new request is complete. */
    public Http2Request nextRequest() throws IOException {
        while (true) {
            for (Http2Request request : requests.values()) {
                if (!request.seen && request.ended) {
                    request.seen = true;
                    request.seenHead = true;
                    backend.record(request);
                    return request;
                }
            }
            readFrame();
        }
    }

    /** Drops a handled request, for scripts that serve many. */
    public void forget(Http2Request request) {
        requests.remove(request.stream());
    }

    /** Reads until {@code count} heads have arrived. */
    public List<Http2Request> heads(int count) throws IOException {
        List<Http2Request> heads = new ArrayList<>();
        while (heads.size() < count) {
            heads.add(nextHead());
        }
        return heads;
    }

    /** Reads until the stream is reset; returns the error code. */
    public int awaitReset(Http2Request request) throws IOException {
        await("a reset", () -> request.resetCode >= 0);
        return request.resetCode;
    }

    /** Reads frames until the condition holds. */
    public ScriptedHttp2Connection await(String what, BooleanSupplier condition) throws IOException {
        while (!condition.getAsBoolean()) {
            try {
                readFrame();
            } catch (EOFException e) {
                throw new AssertionError("the connection ended before " + what, e);
            }
        }
        return this;
    }

    /** Sends a PING and reads until its reply: all frames sent before have been handled. */
    public ScriptedHttp2Connection sync() throws IOException {
        long payload = ++pings;
        send(FrameBytes.ping(payload));
        return await("an answer to a ping", () -> pong == payload);
    }

    /** Reads until the balancer closes the connection; returns the error code of its GOAWAY, or -1. */
    public int readToEnd() {
        try {
            while (true) {
                readFrame();
            }
        } catch (IOException e) {
            return goAwayCode;
        }
    }

    /** Waits until the test opens the latch. */
    public ScriptedHttp2Connection await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(TestTimeout.LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("the latch was not opened");
        }
        return this;
    }

    /** Closes the connection with a reset. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    public void close() throws IOException {
        socket.close();
    }

    /** Number of received frames of this type. */
    public long count(int type) {
        return counts[type];
    }

    public int settingsAcks() {
        return settingsAcks;
    }

    private void readFrame() throws IOException {
        int word = in.readInt();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        byte[] payload = new byte[word >>> 8];
        in.readFully(payload);
        counts[word & 0xff]++;
        take(word & 0xff, flags, stream, payload);
    }

    private void take(int type, int flags, int stream, byte[] payload) throws IOException {
        switch (type) {
            case Frame.DATA -> data(flags, stream, payload);
            case Frame.HEADERS -> headers(flags, stream, payload);
            case Frame.RST_STREAM ->
                known(stream).resetCode = ByteBuffer.wrap(payload).getInt();
            case Frame.SETTINGS -> settings(flags, payload);
            case Frame.PING -> pong = ByteBuffer.wrap(payload).getLong();
            case Frame.GOAWAY -> goAwayCode = ByteBuffer.wrap(payload).getInt(4);
            case Frame.WINDOW_UPDATE -> {
                long increment = ByteBuffer.wrap(payload).getInt();
                if (stream == 0) {
                    window += increment;
                } else {
                    streamWindows.merge(stream, increment, Long::sum);
                }
            }
            default -> throw new AssertionError("a frame of type " + type);
        }
    }

    private Http2Request known(int stream) {
        Http2Request request = requests.get(stream);
        if (request == null) {
            throw new AssertionError("a frame for stream " + stream + ", which is idle");
        }
        return request;
    }

    private void data(int flags, int stream, byte[] payload) throws IOException {
        Http2Request request = known(stream);
        if (request.ended || request.resetCode >= 0) {
            throw new AssertionError("data on stream " + stream + ", which has ended");
        }
        request.data.writeBytes(payload);
        request.ended = (flags & Frame.END_STREAM) != 0;
        backend.received(payload.length);
        if (opensWindows && payload.length > 0) {
            send(FrameBytes.windowUpdate(0, payload.length), FrameBytes.windowUpdate(stream, payload.length));
        }
    }

    private void headers(int flags, int stream, byte[] block) throws IOException {
        boolean fresh = !requests.containsKey(stream);
        if (fresh && (stream <= lastStream || (stream & 1) == 0)) {
            throw new AssertionError("stream " + stream + " after " + lastStream);
        }
        lastStream = Math.max(lastStream, stream);
        Http2Request request = requests.computeIfAbsent(stream, Http2Request::new);
        boolean ends = (flags & Frame.END_STREAM) != 0;
        if (request.ended || (!fresh && !ends)) {
            throw new AssertionError("headers on stream " + stream + " out of place");
        }
        request.blocks.add(decode((flags & Frame.END_HEADERS) != 0 ? block : continued(block)));
        request.ended = ends;
        request.endedByHead = fresh && ends;
    }

    private byte[] continued(byte[] start) throws IOException {
        byte[] all = start;
        int flags;
        do {
            int word = in.readInt();
            flags = in.readUnsignedByte();
            in.readInt();
            all = FrameBytes.join(all, in.readNBytes(word >>> 8));
        } while ((flags & Frame.END_HEADERS) == 0);
        return all;
    }

    private List<String> decode(byte[] block) {
        List<String> fields = new ArrayList<>();
        boolean good = decoder.decode(
                block,
                0,
                block.length,
                (names, nameFrom, nameLength, values, valueFrom, valueLength) ->
                        fields.add(text(names, nameFrom, nameLength) + ": " + text(values, valueFrom, valueLength)));
        if (!good) {
            throw new AssertionError("a header block that cannot be decoded");
        }
        return fields;
    }

    private static String text(byte[] bytes, int from, int length) {
        return new String(bytes, from, length, ISO_8859_1);
    }

    private void settings(int flags, byte[] payload) throws IOException {
        if ((flags & Frame.ACK) != 0) {
            settingsAcks++;
            return;
        }
        ByteBuffer pairs = ByteBuffer.wrap(payload);
        while (pairs.hasRemaining()) {
            int setting = pairs.getShort();
            int value = pairs.getInt();
            if (setting == Setting.INITIAL_WINDOW_SIZE) {
                initialWindow = value;
            }
        }
        if (acknowledges) {
            send(FrameBytes.frame(Frame.SETTINGS, Frame.ACK, 0));
        }
    }

    /** Returns a stream's request so far; null if nothing arrived. */
    public @Nullable Http2Request request(int stream) {
        return requests.get(stream);
    }
}
