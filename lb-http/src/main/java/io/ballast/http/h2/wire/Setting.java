package io.ballast.http.h2.wire;

/** Identifiers of settings (RFC 9113 section 6.5.2, RFC 8441 section 3, RFC 9218 section 2.1) and their limits. */
public final class Setting {

    /** Bytes of one setting in a frame. */
    public static final int BYTES = 6;

    public static final int HEADER_TABLE_SIZE = 1;
    public static final int ENABLE_PUSH = 2;
    public static final int MAX_CONCURRENT_STREAMS = 3;
    public static final int INITIAL_WINDOW_SIZE = 4;
    public static final int MAX_FRAME_SIZE = 5;
    public static final int MAX_HEADER_LIST_SIZE = 6;
    public static final int ENABLE_CONNECT_PROTOCOL = 8;
    public static final int NO_RFC7540_PRIORITIES = 9;

    /** Initial size of the dynamic table. */
    public static final int DEFAULT_TABLE = 4096;

    /** Initial size of a flow-control window. */
    public static final int DEFAULT_WINDOW = 65_535;

    public static final int MAX_FRAME_BYTES = (1 << 24) - 1;

    private Setting() {}
}
