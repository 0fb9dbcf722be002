package io.ballast.dns.querylog.dnstap;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The control frames of Frame Streams: a zero, the length of the rest, a frame type, and the content type of the data
 * frames (<a href="https://farsightsec.github.io/fstrm/">fstrm</a>).
 */
enum ControlFrame {
    ACCEPT(1),
    START(2),
    STOP(3),
    READY(4),
    FINISH(5);

    /** Maximum size of a received control frame in bytes. */
    static final int MAX_BYTES = 512;

    private static final byte[] CONTENT_TYPE = "protobuf:dnstap.Dnstap".getBytes(StandardCharsets.US_ASCII);
    private static final int FIELD_CONTENT_TYPE = 1;
    private static final int LENGTHS_BYTES = 2 * Integer.BYTES;

    private final int number;

    ControlFrame(int number) {
        this.number = number;
    }

    /** The encoded frame. */
    byte[] bytes() {
        FrameBuffer frame = new FrameBuffer();
        boolean hasContentType = this != STOP && this != FINISH;
        frame.putInt(0);
        frame.putInt(Integer.BYTES + (hasContentType ? LENGTHS_BYTES + CONTENT_TYPE.length : 0));
        frame.putInt(number);
        if (hasContentType) {
            frame.putInt(FIELD_CONTENT_TYPE);
            frame.putInt(CONTENT_TYPE.length);
            frame.putBytes(CONTENT_TYPE, 0, CONTENT_TYPE.length);
        }
        return Arrays.copyOf(frame.bytes(), frame.length());
    }

    /**
     * Returns the length of the frame of this type at the start of a buffer, whose data ends at its position.
     * Returns 0 if the frame is incomplete, and -1 if it has another type or accepts only other content types.
     */
    int lengthIn(ByteBuffer read) {
        int available = read.position();
        if (available < LENGTHS_BYTES) {
            return 0;
        }
        int payloadBytes = read.getInt(Integer.BYTES);
        if (read.getInt(0) != 0 || payloadBytes < Integer.BYTES || payloadBytes > MAX_BYTES - LENGTHS_BYTES) {
            return -1;
        }
        int end = LENGTHS_BYTES + payloadBytes;
        if (available < end) {
            return 0;
        }
        boolean isMatch = read.getInt(LENGTHS_BYTES) == number
                && (this != ACCEPT || acceptsContentType(read, LENGTHS_BYTES + Integer.BYTES, end));
        return isMatch ? end : -1;
    }

    /** Whether a reader accepts our content type; a reader without a content type accepts all. */
    private static boolean acceptsContentType(ByteBuffer read, int start, int end) {
        int at = start;
        while (at + LENGTHS_BYTES <= end) {
            int length = read.getInt(at + Integer.BYTES);
            if (length < 0 || length > end - at - LENGTHS_BYTES) {
                return false;
            }
            byte[] type = new byte[length];
            read.duplicate().position(at + LENGTHS_BYTES).get(type);
            if (read.getInt(at) == FIELD_CONTENT_TYPE && Arrays.equals(type, CONTENT_TYPE)) {
                return true;
            }
            at += LENGTHS_BYTES + length;
        }
        return start == end;
    }
}
