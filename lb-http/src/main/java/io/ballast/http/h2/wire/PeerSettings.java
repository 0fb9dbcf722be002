package io.ballast.http.h2.wire;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What a peer has set for what it receives (RFC 9113 section 6.5.2). We send no larger frames than any peer takes, use no
 * table of headers, and push nothing, so that only the windows count, and that a table which becomes smaller than it was at
 * first is acknowledged. Event-loop confined.
 */
public final class PeerSettings {

    private static final int LEAST_FRAME_BYTES = 16_384;

    private int initialWindow = Setting.DEFAULT_WINDOW;
    private int mostStreams = Integer.MAX_VALUE;
    private long leastTable = Setting.DEFAULT_TABLE;
    private boolean connects;

    public int initialWindow() {
        return initialWindow;
    }

    /** How many streams the peer wants to be opened at once at most. */
    public int mostStreams() {
        return mostStreams;
    }

    /** The smallest table that it ever allowed us. */
    public long leastTable() {
        return leastTable;
    }

    /** Whether the peer takes a CONNECT that names a protocol (RFC 8441 section 3). */
    public boolean takesExtendedConnect() {
        return connects;
    }

    /** Takes the settings in {@code source[at, at + length)}; returns what is wrong with them, or null. */
    public @Nullable ErrorCode apply(ByteBuf source, int at, int length) {
        for (int i = at; i < at + length; i += Setting.BYTES) {
            long value = source.getUnsignedInt(i + Short.BYTES);
            switch (source.getUnsignedShort(i)) {
                case Setting.HEADER_TABLE_SIZE -> leastTable = Math.min(leastTable, value);
                case Setting.ENABLE_PUSH, Setting.NO_RFC7540_PRIORITIES -> {
                    if (value > 1) {
                        return ErrorCode.PROTOCOL_ERROR;
                    }
                }
                case Setting.INITIAL_WINDOW_SIZE -> {
                    if (value > Integer.MAX_VALUE) {
                        return ErrorCode.FLOW_CONTROL_ERROR;
                    }
                    initialWindow = (int) value;
                }
                case Setting.MAX_FRAME_SIZE -> {
                    if (value < LEAST_FRAME_BYTES || value > Setting.MOST_FRAME_BYTES) {
                        return ErrorCode.PROTOCOL_ERROR;
                    }
                }
                case Setting.MAX_CONCURRENT_STREAMS -> mostStreams = (int) Math.min(value, Integer.MAX_VALUE);
                case Setting.ENABLE_CONNECT_PROTOCOL -> {
                    if (value > 1 || (connects && value == 0)) {
                        return ErrorCode.PROTOCOL_ERROR;
                    }
                    connects = value == 1;
                }
                default -> {} // RFC 9113 section 6.5.2: unknown ones mean nothing
            }
        }
        return null;
    }
}
