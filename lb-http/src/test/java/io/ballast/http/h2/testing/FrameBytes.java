package io.ballast.http.h2.testing;

import io.ballast.http.h2.wire.Frame;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Encodes valid and invalid HTTP/2 frames. */
public final class FrameBytes {

    public static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private FrameBytes() {}

    public static byte[] frame(int type, int flags, int stream, byte... payload) {
        return ByteBuffer.allocate(Frame.HEADER_BYTES + payload.length)
                .put((byte) (payload.length >> 16))
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /** A header block in one frame. */
    public static byte[] headers(int stream, boolean ends, byte[] block) {
        return frame(Frame.HEADERS, Frame.END_HEADERS | (ends ? Frame.END_STREAM : 0), stream, block);
    }

    public static byte[] data(int stream, boolean ends, byte... data) {
        return frame(Frame.DATA, ends ? Frame.END_STREAM : 0, stream, data);
    }

    /** @param pairs identifiers and values, alternating */
    public static byte[] settings(int... pairs) {
        ByteBuffer payload = ByteBuffer.allocate(pairs.length / 2 * 6);
        for (int i = 0; i < pairs.length; i += 2) {
            payload.putShort((short) pairs[i]).putInt(pairs[i + 1]);
        }
        return frame(Frame.SETTINGS, 0, 0, payload.array());
    }

    public static byte[] windowUpdate(int stream, int increment) {
        return frame(Frame.WINDOW_UPDATE, 0, stream, number(increment));
    }

    public static byte[] reset(int stream, int code) {
        return frame(Frame.RST_STREAM, 0, stream, number(code));
    }

    public static byte[] ping(long payload) {
        return frame(
                Frame.PING,
                0,
                0,
                ByteBuffer.allocate(Long.BYTES).putLong(payload).array());
    }

    public static byte[] priority(int stream) {
        return frame(Frame.PRIORITY, 0, stream, new byte[5]);
    }

    /** A PRIORITY_UPDATE frame. */
    public static byte[] priorityUpdate(int stream, String value) {
        return frame(Frame.PRIORITY_UPDATE, 0, 0, join(number(stream), value.getBytes(StandardCharsets.ISO_8859_1)));
    }

    public static byte[] goAway() {
        return frame(Frame.GOAWAY, 0, 0, new byte[8]);
    }

    public static byte[] number(int value) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    }

    /** A header block of literals without Huffman code or indexing. */
    public static byte[] block(String... namesAndValues) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            out.write(0);
            text(namesAndValues[i], out);
            text(namesAndValues[i + 1], out);
        }
        return out.toByteArray();
    }

    private static void text(String text, ByteArrayOutputStream out) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        int rest = bytes.length - 0x7f;
        if (rest < 0) {
            out.write(bytes.length);
        } else {
            out.write(0x7f);
            for (; rest > 0x7f; rest >>= 7) {
                out.write(0x80 | (rest & 0x7f));
            }
            out.write(rest);
        }
        out.writeBytes(bytes);
    }

    /** Concatenates {@code pieces}. */
    public static byte[] join(byte[]... pieces) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] piece : pieces) {
            out.writeBytes(piece);
        }
        return out.toByteArray();
    }

    /** Repeats {@code piece}. */
    public static byte[] repeat(int times, byte[] piece) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < times; i++) {
            out.writeBytes(piece);
        }
        return out.toByteArray();
    }
}
