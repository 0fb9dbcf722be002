package io.ballast.cluster.observation;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message with rows of its sender.
 *
 * <pre>
 *   version 1 byte | lifetime in seconds 2 bytes | number of rows 4 bytes | rows
 *   row: sequence 8 bytes | topic 2 bytes + UTF-8 | length 4 bytes, -1 if withdrawn | content
 * </pre>
 *
 * @param lifetimeSeconds the time after which a row expires if it is not repeated; 1 to {@value #MAX_LIFETIME_SECONDS}
 */
record ObservationFrame(int lifetimeSeconds, List<Row> rows) {

    static final int MAX_LIFETIME_SECONDS = 600;

    /** A frame has this number of bytes at most, unless it contains a single large row. */
    static final int MAX_BYTES = 64 << 10;

    private static final int VERSION = 1;
    private static final int WITHDRAWN = -1;

    ObservationFrame {
        rows = List.copyOf(rows);
    }

    /** A row; the content is null if the row was withdrawn. */
    @SuppressWarnings("ArrayRecordComponent") // records are never compared, and the array is not copied
    record Row(long sequence, String topic, byte @Nullable [] content) {

        private static final int HEADER_BYTES = 14;

        /** The size in a frame in bytes; an estimate if the topic is not in ASCII. */
        int size() {
            return HEADER_BYTES + topic.length() + (content == null ? 0 : content.length);
        }
    }

    /** Encodes rows as frames; returns at least one frame, which may contain no rows. */
    static List<byte[]> encode(int lifetimeSeconds, List<Row> rows) {
        List<byte[]> frames = new ArrayList<>();
        int from = 0;
        do {
            int to = from;
            for (int bytes = 0; to < rows.size(); to++) {
                bytes += rows.get(to).size();
                if (bytes > MAX_BYTES && to > from) {
                    break;
                }
            }
            frames.add(new ObservationFrame(lifetimeSeconds, rows.subList(from, to)).encode());
            from = to;
        } while (from < rows.size());
        return frames;
    }

    private byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeShort(lifetimeSeconds);
            out.writeInt(rows.size());
            for (Row row : rows) {
                out.writeLong(row.sequence());
                out.writeUTF(row.topic());
                byte[] content = row.content();
                if (content == null) {
                    out.writeInt(WITHDRAWN);
                } else {
                    out.writeInt(content.length);
                    out.write(content);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    /** @throws IOException if the bytes are not a frame of this version, or a row exceeds a limit */
    static ObservationFrame decode(byte[] frame) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(frame));
        int version = in.readUnsignedByte();
        if (version != VERSION) {
            throw new IOException("a frame of version " + version + " (expected: " + VERSION + ")");
        }
        int lifetime = in.readUnsignedShort();
        if (lifetime < 1 || lifetime > MAX_LIFETIME_SECONDS) {
            throw new IOException("a lifetime of " + lifetime + " s (expected: 1 to " + MAX_LIFETIME_SECONDS + ")");
        }
        int count = in.readInt();
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long sequence = in.readLong();
            String topic = in.readUTF();
            int length = in.readInt();
            if (length < WITHDRAWN || length > in.available() || topic.length() > ObservationBoard.MAX_TOPIC_LENGTH) {
                throw new IOException("topic of " + topic.length() + " characters, content of " + length
                        + " bytes (expected: at most " + ObservationBoard.MAX_TOPIC_LENGTH + " characters, at most "
                        + in.available() + " bytes)");
            }
            rows.add(new Row(sequence, topic, length == WITHDRAWN ? null : in.readNBytes(length)));
        }
        return new ObservationFrame(lifetime, rows);
    }
}
