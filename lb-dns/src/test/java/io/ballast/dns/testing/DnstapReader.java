package io.ballast.dns.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads dnstap Frame Streams by their specifications. */
public final class DnstapReader {

    public static final byte[] CONTENT_TYPE = "protobuf:dnstap.Dnstap".getBytes(StandardCharsets.US_ASCII);

    public static final int ACCEPT = 1;
    public static final int START = 2;
    public static final int STOP = 3;
    public static final int READY = 4;
    public static final int FINISH = 5;

    private DnstapReader() {}

    /** A dnstap message; missing bytes and texts are empty, missing numbers 0. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Tapped(
            String identity,
            String version,
            int type,
            int family,
            int protocol,
            byte[] address,
            int port,
            long querySeconds,
            byte[] query,
            byte[] zone,
            long responseSeconds,
            byte[] response) {}

    /** Returns the messages of a file, which must have a start and an end. */
    public static List<Tapped> file(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        expect(bytes, START);
        List<Tapped> tapped = new ArrayList<>();
        while (bytes.getInt(bytes.position()) != 0) {
            byte[] frame = new byte[bytes.getInt()];
            bytes.get(frame);
            tapped.add(decode(frame));
        }
        expect(bytes, STOP);
        if (bytes.hasRemaining()) {
            throw new IOException(bytes.remaining() + " bytes behind the end");
        }
        return tapped;
    }

    private static void expect(ByteBuffer bytes, int type) throws IOException {
        int escape = bytes.getInt();
        byte[] control = new byte[bytes.getInt()];
        bytes.get(control);
        if (escape != 0 || !Arrays.equals(control, control(type))) {
            throw new IOException("control frame " + Arrays.toString(control) + " (expected: " + type + ")");
        }
    }

    /** Returns a control frame without its escape sequence and length. */
    public static byte[] control(int type) {
        if (type == STOP || type == FINISH) {
            return ByteBuffer.allocate(4).putInt(type).array();
        }
        return ByteBuffer.allocate(12 + CONTENT_TYPE.length)
                .putInt(type)
                .putInt(1)
                .putInt(CONTENT_TYPE.length)
                .put(CONTENT_TYPE)
                .array();
    }

    public static Tapped decode(byte[] frame) {
        Map<Integer, Object> whole = fields(frame);
        if (!Long.valueOf(1).equals(whole.get(15))) {
            throw new IllegalArgumentException("type " + whole.get(15) + " (expected: MESSAGE)");
        }
        Map<Integer, Object> message = fields(bytes(whole, 14));
        return new Tapped(
                new String(bytes(whole, 1), StandardCharsets.UTF_8),
                new String(bytes(whole, 2), StandardCharsets.UTF_8),
                (int) number(message, 1),
                (int) number(message, 2),
                (int) number(message, 3),
                bytes(message, 4),
                (int) number(message, 6),
                number(message, 8),
                bytes(message, 10),
                bytes(message, 11),
                number(message, 12),
                bytes(message, 14));
    }

    private static byte[] bytes(Map<Integer, Object> fields, int field) {
        return (byte[]) fields.getOrDefault(field, new byte[0]);
    }

    private static long number(Map<Integer, Object> fields, int field) {
        return (long) fields.getOrDefault(field, 0L);
    }

    private static Map<Integer, Object> fields(byte[] message) {
        ByteBuffer bytes = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        Map<Integer, Object> fields = new HashMap<>();
        while (bytes.hasRemaining()) {
            int tag = (int) varint(bytes);
            Object value =
                    switch (tag & 7) {
                        case 0 -> varint(bytes);
                        case 2 -> {
                            byte[] content = new byte[(int) varint(bytes)];
                            bytes.get(content);
                            yield content;
                        }
                        case 5 -> (long) bytes.getInt();
                        default -> throw new IllegalArgumentException("wire type " + (tag & 7));
                    };
            fields.put(tag >>> 3, value);
        }
        return fields;
    }

    private static long varint(ByteBuffer bytes) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte b = bytes.get();
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
    }
}
