package io.ballast.http.h2.backend;

import io.ballast.http.h2.flow.FrameOutput;
import io.ballast.http.h2.flow.SendFlow;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.h2.wire.FrameReader;
import io.ballast.http.h2.wire.HeaderBlocks;
import io.ballast.http.h2.wire.PeerSettings;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.head.HeadError;
import io.ballast.http.relay.Failure;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Handles the frames of a backend: validates each frame by RFC 9113 section 6, stores the backend's settings,
 * and passes frames to the connection or stream. Event-loop confined.
 */
final class BackendFrames implements FrameReader.Sink {

    private final Http2BackendConnection connection;
    private final Http2Backends loop;
    private final BackendStreams streams;
    private final FrameOutput frames;
    private final SendFlow flow;
    private final int maxHeadBytes;
    private final HeaderBlocks blocks;
    private final PeerSettings peer = new PeerSettings();
    private final ReceiveWindow window = new ReceiveWindow(Http2BackendConnection.CONNECTION_WINDOW);
    private final PendingAcks pending;
    private boolean settingsReceived;

    BackendFrames(Http2BackendConnection connection, BackendStreams streams, ChannelFrameOutput bytes) {
        this.connection = connection;
        this.loop = connection.loop();
        this.streams = streams;
        this.frames = connection.frames();
        this.pending = new PendingAcks(bytes);
        this.flow = connection.flow();
        this.maxHeadBytes = connection.settings().responseLimits().headBytes();
        this.blocks = new HeaderBlocks(maxHeadBytes);
    }

    /** The backend's settings, or the defaults before the first SETTINGS frame. */
    PeerSettings settings() {
        return peer;
    }

    /** Whether the first SETTINGS frame has arrived. */
    boolean hasReceivedSettings() {
        return settingsReceived;
    }

    void release() {
        blocks.release();
    }

    @Override
    public boolean frame(int type, int flags, int stream, ByteBuf source, int at, int length) {
        if (connection.isClosed() || (!settingsReceived && (type != Frame.SETTINGS || (flags & Frame.ACK) != 0))) {
            return connection.closeForError(ErrorCode.PROTOCOL_ERROR);
        }
        if (blocks.isOpen() && (type != Frame.CONTINUATION || stream != blocks.stream())) {
            return connection.closeForError(ErrorCode.PROTOCOL_ERROR);
        }
        boolean continues =
                switch (type) {
                    case Frame.DATA -> data(flags, stream, source, at, length);
                    case Frame.HEADERS -> headers(flags, stream, source, at, length);
                    case Frame.CONTINUATION -> continuation(flags, source, at, length);
                    case Frame.RST_STREAM -> reset(stream, source, at, length);
                    case Frame.SETTINGS -> settings(flags, stream, source, at, length);
                    case Frame.PUSH_PROMISE, Frame.PRIORITY_UPDATE ->
                        connection.closeForError(ErrorCode.PROTOCOL_ERROR);
                    case Frame.PING -> ping(flags, stream, source, at, length);
                    case Frame.GOAWAY -> goAway(stream, source, at, length);
                    case Frame.WINDOW_UPDATE -> windowUpdate(stream, source, at, length);
                    default -> true;
                };
        return continues && !connection.isClosed();
    }

    @Override
    public void frameTooLarge(int type, int stream) {
        connection.closeForError(ErrorCode.FRAME_SIZE_ERROR);
    }

    private boolean headers(int flags, int stream, ByteBuf source, int at, int length) {
        int padding = (flags & Frame.PADDED) != 0 ? 1 : 0;
        int extra = padding + ((flags & Frame.PRIORITIZED) != 0 ? Frame.PRIORITY_BYTES : 0);
        int pads = padding > 0 && length > 0 ? source.getUnsignedByte(at) : 0;
        if (!connection.isOwnStream(stream) || pads > length - extra) {
            return connection.closeForError(ErrorCode.PROTOCOL_ERROR);
        }
        boolean ends = (flags & Frame.END_STREAM) != 0;
        if (!blocks.begin(stream, ends, source, at + extra, length - extra - pads)) {
            return connection.closeForError(ErrorCode.ENHANCE_YOUR_CALM);
        }
        return (flags & Frame.END_HEADERS) == 0 || handleHeaderBlock();
    }

    private boolean continuation(int flags, ByteBuf source, int at, int length) {
        if (!blocks.isOpen()) {
            return connection.closeForError(ErrorCode.PROTOCOL_ERROR);
        }
        if (!blocks.add(source, at, length)) {
            return connection.closeForError(ErrorCode.ENHANCE_YOUR_CALM);
        }
        return (flags & Frame.END_HEADERS) == 0 || handleHeaderBlock();
    }

    /** Handles a complete header block. */
    private boolean handleHeaderBlock() {
        connection.responded();
        BackendStream stream = streams.find(blocks.stream());
        boolean trailers = stream != null && stream.response().isAnswered();
        loop.head.begin(trailers, maxHeadBytes, stream == null ? null : stream.webSocketAccept());
        if (!blocks.decode(loop.head)) {
            return connection.closeForError(ErrorCode.COMPRESSION_ERROR);
        }
        if (stream == null) {
            return true; // the stream was cancelled
        }
        ErrorCode fault;
        HeadError malformed = loop.head.fault();
        if (malformed != null) {
            stream.fail(Failure.BAD_RESPONSE, malformed.text);
            fault = ErrorCode.PROTOCOL_ERROR;
        } else if (trailers && !blocks.endsStream()) {
            stream.fail(Failure.BAD_RESPONSE, "a second HEADERS frame without END_STREAM");
            fault = ErrorCode.PROTOCOL_ERROR;
        } else {
            fault = trailers ? stream.response().trailers() : stream.response().head(blocks.endsStream());
        }
        resetIfFailed(stream, fault);
        return true;
    }

    /** Resets a stream with the given error; does nothing if the error is null. */
    private void resetIfFailed(BackendStream stream, @Nullable ErrorCode fault) {
        if (fault != null && streams.remove(stream.id()) != null) {
            frames.reset(stream.id(), fault);
            frames.flushSoon();
            connection.checkIdle();
        }
    }

    private boolean data(int flags, int stream, ByteBuf source, int at, int length) {
        int padding = (flags & Frame.PADDED) != 0 ? 1 : 0;
        int pads = padding > 0 && length > 0 ? source.getUnsignedByte(at) : 0;
        if (!connection.isOwnStream(stream) || pads > length - padding) {
            return connection.closeForError(ErrorCode.PROTOCOL_ERROR);
        }
        if (!window.consume(length, frames)) {
            return connection.closeForError(ErrorCode.FLOW_CONTROL_ERROR);
        }
        connection.responded();
        BackendStream target = streams.find(stream);
        if (target != null) {
            boolean ends = (flags & Frame.END_STREAM) != 0;
            int content = length - padding - pads;
            resetIfFailed(target, target.response().data(source, at + padding, content, length, ends));
        }
        return true;
    }

    private boolean reset(int stream, ByteBuf source, int at, int length) {
        if (!connection.isOwnStream(stream) || length != Frame.CODE_BYTES) {
            return connection.closeForError(ErrorCode.PROTOCOL_ERROR);
        }
        BackendStream target = streams.remove(stream);
        if (target != null) {
            target.reset(source.getInt(at));
            connection.checkIdle();
        }
        return true;
    }

    private boolean settings(int flags, int stream, ByteBuf source, int at, int length) {
        if ((flags & Frame.ACK) != 0) {
            return true;
        }
        if (stream != 0 || length % Setting.BYTES != 0) {
            return connection.closeForError(ErrorCode.FRAME_SIZE_ERROR);
        }
        int before = peer.initialWindow();
        ErrorCode fault = peer.apply(source, at, length);
        if (fault != null) {
            return connection.closeForError(fault);
        }
        int change = peer.initialWindow() - before;
        flow.initialWindow(peer.initialWindow());
        if (change != 0 && !streams.all().stream().allMatch(target -> target.windowUpdate(change))) {
            return connection.closeForError(ErrorCode.FLOW_CONTROL_ERROR);
        }
        if (!pending.tryIncrement()) {
            return connection.closeForError(ErrorCode.ENHANCE_YOUR_CALM);
        }
        frames.settingsAck();
        settingsReceived = true;
        connection.applyStreamLimit(peer.maxStreams());
        flow.pump();
        return !connection.isClosed();
    }

    private boolean ping(int flags, int stream, ByteBuf source, int at, int length) {
        if (stream != 0 || length != Frame.PING_BYTES) {
            return connection.closeForError(ErrorCode.FRAME_SIZE_ERROR);
        }
        if ((flags & Frame.ACK) == 0) {
            if (!pending.tryIncrement()) {
                return connection.closeForError(ErrorCode.ENHANCE_YOUR_CALM);
            }
            frames.pingAck(source.getLong(at));
        }
        return true;
    }

    /**
     * Handles GOAWAY (RFC 9113 section 6.8): the exchanges of streams that the backend has not processed are retried.
     */
    private boolean goAway(int stream, ByteBuf source, int at, int length) {
        if (stream != 0 || length < 2 * Integer.BYTES) {
            return connection.closeForError(ErrorCode.FRAME_SIZE_ERROR);
        }
        int last = source.getInt(at) & Integer.MAX_VALUE;
        connection.drain();
        for (BackendStream each : streams.all()) {
            if (each.id() > last && streams.remove(each.id()) != null) {
                each.failUnprocessed();
            }
        }
        connection.checkIdle();
        return !connection.isClosed();
    }

    private boolean windowUpdate(int stream, ByteBuf source, int at, int length) {
        if (length != Frame.CODE_BYTES) {
            return connection.closeForError(ErrorCode.FRAME_SIZE_ERROR);
        }
        int increment = source.getInt(at) & Integer.MAX_VALUE;
        if (stream == 0) {
            if (increment == 0 || !flow.grow(increment)) {
                return connection.closeForError(ErrorCode.FLOW_CONTROL_ERROR);
            }
        } else {
            BackendStream target = streams.find(stream);
            if (target != null && !target.windowUpdate(increment)) {
                target.fail(Failure.BAD_RESPONSE, "flow-control window exceeds the HTTP/2 maximum");
                resetIfFailed(target, ErrorCode.FLOW_CONTROL_ERROR);
            }
        }
        flow.pump();
        return true;
    }
}
