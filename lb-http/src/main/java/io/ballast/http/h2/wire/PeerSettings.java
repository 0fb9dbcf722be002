package io.ballast.http.h2.wire;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a peer has sent (RFC 9113 section 6.5.2). We use no dynamic table, push nothing and never
 * exceed the default frame size. So only these settings matter: the initial window, the stream limit,
 * extended CONNECT and a reduced table size, which must be acknowledged. Event-loop confined.
 */
public final class PeerSettings {

    private static final int MIN_FRAME_BYTES = 16_384;

    private int initialWindow = Setting.DEFAULT_WINDOW;
    private int maxStreams = Integer.MAX_VALUE;
    private long minTable = Setting.DEFAULT_TABLE;
    private boolean extendedConnect;

    public int initialWindow() {
        return initialWindow;
    }

    /** Maximum number of concurrent streams that the peer allows. */
    public int maxStreams() {
        return maxStreams;
    }

    /** The smallest size of the HPACK table that the peer has ever set. */
    public long minTable() {
        return minTable;
    }

    /** Whether the peer supports extended CONNECT (RFC 8441 section 3). */
    public boolean supportsExtendedConnect() {
        return extendedConnect;
    }

    /** Applies the settings in {@code source[at, at + length)}. Returns the error, or null if they are valid. */
    public @Nullable ErrorCode apply(ByteBuf source, int at, int length) {
        for (int i = at; i < at + length; i += Setting.BYTES) {
            long value = source.getUnsignedInt(i + Short.BYTES);
            switch (source.getUnsignedShort(i)) {
                case Setting.HEADER_TABLE_SIZE -> minTable = Math.min(minTable, value);
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
                    if (value < MIN_FRAME_BYTES || value > Setting.MAX_FRAME_BYTES) {
                        return ErrorCode.PROTOCOL_ERROR;
                    }
                }
                case Setting.MAX_CONCURRENT_STREAMS -> maxStreams = (int) Math.min(value, Integer.MAX_VALUE);
                case Setting.ENABLE_CONNECT_PROTOCOL -> {
                    if (value > 1 || (extendedConnect && value == 0)) {
                        return ErrorCode.PROTOCOL_ERROR;
                    }
                    extendedConnect = value == 1;
                }
                default -> {} // RFC 9113 section 6.5.2: ignore unknown settings
            }
        }
        return null;
    }
}
