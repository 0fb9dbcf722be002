package io.ballast.http.h2.wire;

/** Types and flags of frames (RFC 9113 section 6), and common sizes. */
public final class Frame {

    public static final int HEADER_BYTES = 9;
    /** Default maximum size of a payload (RFC 9113 section 4.2). It is the limit in both directions. */
    public static final int MAX_PAYLOAD_BYTES = 16_384;

    public static final int DATA = 0;
    public static final int HEADERS = 1;
    public static final int PRIORITY = 2;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    public static final int PUSH_PROMISE = 5;
    public static final int PING = 6;
    public static final int GOAWAY = 7;
    public static final int WINDOW_UPDATE = 8;
    public static final int CONTINUATION = 9;
    /** PRIORITY_UPDATE (RFC 9218 section 7.1). */
    public static final int PRIORITY_UPDATE = 0x10;

    public static final int END_STREAM = 0x1;
    public static final int ACK = 0x1;
    public static final int END_HEADERS = 0x4;
    public static final int PADDED = 0x8;
    public static final int PRIORITIZED = 0x20;

    /** Bytes of the deprecated weight and stream dependency (RFC 9113 section 5.3.2). */
    public static final int PRIORITY_BYTES = 5;

    public static final int PING_BYTES = 8;
    public static final int CODE_BYTES = 4;

    private Frame() {}
}
