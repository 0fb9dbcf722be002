package io.ballast.http.h2.client;

import io.ballast.http.h2.flow.SendFlow;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.h2.wire.Priority;
import io.ballast.http.multiplex.ClientStreams;
import io.netty.buffer.ByteBuf;
import io.netty.util.collection.IntObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Handles PRIORITY_UPDATE frames (RFC 9218 section 7.1), including frames for streams that are not open yet,
 * up to the stream limit. Event-loop confined.
 */
final class ClientPriorities {

    private static final int STREAM_BYTES = Integer.BYTES;

    private final SendFlow flow;
    private final ClientStreams<Http2Stream> streams;
    private @Nullable IntObjectHashMap<Integer> earlyPriorities;
    private byte[] value = new byte[32];

    ClientPriorities(SendFlow flow, ClientStreams<Http2Stream> streams) {
        this.flow = flow;
        this.streams = streams;
    }

    /**
     * Removes and returns the priority received before the stream was opened; {@link Priority#NONE} if there is none.
     */
    int removeEarlyPriority(int stream) {
        IntObjectHashMap<Integer> known = earlyPriorities;
        if (known == null) {
            return Priority.NONE;
        }
        Integer priority = known.remove(stream);
        known.keySet().removeIf(each -> each < stream); // the client can no longer open streams with lower numbers
        if (known.isEmpty()) {
            earlyPriorities = null;
        }
        return priority == null ? Priority.NONE : priority;
    }

    /** Sets the priority of a new stream; {@link Priority#NONE} stands for the default. */
    void begin(Http2Stream stream, int priority) {
        stream.output().priority(priority == Priority.NONE ? Priority.DEFAULT : priority);
        if (priority != Priority.NONE) {
            flow.prioritize();
        }
    }

    /**
     * Handles a PRIORITY_UPDATE frame with payload {@code source[at, at + length)}. Ignores a priority value that
     * cannot be parsed.
     */
    @Nullable ErrorCode update(int frameStream, ByteBuf source, int at, int length, int lastStream) {
        if (frameStream != 0) {
            return ErrorCode.PROTOCOL_ERROR;
        }
        if (length < STREAM_BYTES || length > Frame.MAX_PAYLOAD_BYTES) {
            return ErrorCode.FRAME_SIZE_ERROR;
        }
        int stream = source.getInt(at) & Integer.MAX_VALUE;
        if ((stream & 1) == 0) {
            return ErrorCode.PROTOCOL_ERROR; // the frame is for stream 0, or for a pushed stream, which we never open
        }
        int priority = parse(source, at + STREAM_BYTES, length - STREAM_BYTES);
        if (stream > lastStream) {
            return storeEarlyPriority(stream, priority);
        }
        Http2Stream open = streams.find(stream);
        if (open != null && priority != Priority.NONE) {
            open.output().priority(priority);
            flow.prioritize();
        }
        return null;
    }

    private int parse(ByteBuf source, int at, int length) {
        if (value.length < length) {
            value = new byte[length];
        }
        source.getBytes(at, value, 0, length);
        return Priority.parse(value, 0, length, Priority.DEFAULT);
    }

    private @Nullable ErrorCode storeEarlyPriority(int stream, int priority) {
        IntObjectHashMap<Integer> known = earlyPriorities;
        if (known == null) {
            known = new IntObjectHashMap<>(2);
            earlyPriorities = known;
        }
        if (!known.containsKey(stream) && known.size() + streams.count() >= Http2Connection.MAX_STREAMS) {
            return ErrorCode.PROTOCOL_ERROR; // RFC 9218 section 7.1
        }
        known.put(stream, Integer.valueOf(priority));
        return null;
    }
}
