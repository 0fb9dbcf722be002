package io.ballast.http.h2.client;

import io.ballast.http.h2.flow.SendFlow;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.h2.wire.Priority;
import io.netty.buffer.ByteBuf;
import io.netty.util.collection.IntObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a client says of the urgency of its responses in frames of their own (RFC 9218 section 7.1), also for requests that are
 * still to come: of those, as many as it may open. Event-loop confined.
 */
final class ClientPriorities {

    private static final int STREAM_BYTES = Integer.BYTES;

    private final SendFlow flow;
    private final Streams streams;
    private @Nullable IntObjectHashMap<Integer> early;
    private byte[] value = new byte[32];

    ClientPriorities(SendFlow flow, Streams streams) {
        this.flow = flow;
        this.streams = streams;
    }

    /** What was said of a request before it came, which then holds; {@link Priority#NONE} if nothing was. */
    int takeEarly(int stream) {
        IntObjectHashMap<Integer> known = early;
        if (known == null) {
            return Priority.NONE;
        }
        Integer said = known.remove(stream);
        known.keySet().removeIf(each -> each < stream); // they will not come any more
        if (known.isEmpty()) {
            early = null;
        }
        return said == null ? Priority.NONE : said;
    }

    /** The priority of a response whose request comes now; {@link Priority#NONE} if its client says nothing. */
    void begin(Http2Stream stream, int priority) {
        stream.response().priority(priority == Priority.NONE ? Priority.DEFAULT : priority);
        if (priority != Priority.NONE) {
            flow.prioritize();
        }
    }

    /**
     * A frame came, whose payload is {@code source[at, at + length)}. A value that cannot be read changes nothing.
     *
     * @param lastStream the last stream that the client has opened
     * @return what is wrong with it, or null
     */
    @Nullable ErrorCode update(int frameStream, ByteBuf source, int at, int length, int lastStream) {
        if (frameStream != 0) {
            return ErrorCode.PROTOCOL_ERROR;
        }
        if (length < STREAM_BYTES || length > Frame.PAYLOAD_BYTES) {
            return ErrorCode.FRAME_SIZE_ERROR;
        }
        int stream = source.getInt(at) & Integer.MAX_VALUE;
        if ((stream & 1) == 0) {
            return ErrorCode.PROTOCOL_ERROR; // none, or one of ours, which we never open
        }
        int priority = parse(source, at + STREAM_BYTES, length - STREAM_BYTES);
        if (stream > lastStream) {
            return keep(stream, priority);
        }
        Http2Stream open = streams.find(stream);
        if (open != null && priority != Priority.NONE) {
            open.response().priority(priority);
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

    private @Nullable ErrorCode keep(int stream, int priority) {
        IntObjectHashMap<Integer> known = early;
        if (known == null) {
            known = new IntObjectHashMap<>(2);
            early = known;
        }
        if (!known.containsKey(stream) && known.size() + streams.count() >= Http2Connection.MOST_STREAMS) {
            return ErrorCode.PROTOCOL_ERROR; // RFC 9218 section 7.1
        }
        known.put(stream, Integer.valueOf(priority));
        return null;
    }
}
