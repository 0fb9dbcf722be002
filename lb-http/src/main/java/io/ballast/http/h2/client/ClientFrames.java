package io.ballast.http.h2.client;

import io.ballast.http.h2.flow.FrameOutput;
import io.ballast.http.h2.flow.SendFlow;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.h2.wire.FrameReader;
import io.ballast.http.h2.wire.HeaderBlocks;
import io.ballast.http.h2.wire.PeerSettings;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.head.HeadError;
import io.ballast.http.multiplex.ClientStream;
import io.ballast.http.multiplex.ClientStreams;
import io.ballast.http.multiplex.FloodGuard;
import io.ballast.http.multiplex.MultiplexLoop;
import io.ballast.http.relay.Failure;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Handles the frames of a client: validates each by RFC 9113 section 6 and passes it to the connection or stream.
 * Event-loop confined.
 */
final class ClientFrames implements FrameReader.Sink {

    private final Http2Connection connection;
    private final ClientLifecycle lifecycle;
    private final MultiplexLoop loop;
    private final int maxHeadBytes;
    private final FrameOutput frames;
    private final SendFlow flow;
    private final FloodGuard guard;
    private final ClientStreams<Http2Stream> streams;
    private final HeaderBlocks blocks;
    private final ClientPriorities priorities;
    private final PeerSettings settings = new PeerSettings();

    private boolean prefaceReceived;
    private boolean settingsReceived;
    private int lastStream;
    private long receiveWindow = Http2Connection.CONNECTION_WINDOW;
    private int bodyBytes;
    private @Nullable ClientStream delayedStream;

    ClientFrames(Http2Connection connection, ClientStreams<Http2Stream> streams) {
        this.connection = connection;
        this.lifecycle = connection.lifecycle();
        this.loop = connection.loop();
        this.maxHeadBytes = connection.settings().config().limits().headBytes();
        this.frames = connection.frames();
        this.flow = connection.flow();
        this.guard = connection.guard();
        this.streams = streams;
        this.priorities = new ClientPriorities(flow, streams);
        this.blocks = new HeaderBlocks(maxHeadBytes);
    }

    /** Returns the highest stream number that the client has opened. */
    int lastStream() {
        return lastStream;
    }

    /** Whether a header block has started and not ended. */
    boolean isInHead() {
        return blocks.isOpen();
    }

    /** Returns the body bytes received since the last call. */
    int takeBodyBytes() {
        int taken = bodyBytes;
        bodyBytes = 0;
        return taken;
    }

    int bufferedBytes() {
        return blocks.bufferedBytes();
    }

    /** Called when the stream has ended. */
    void forget(ClientStream stream) {
        if (delayedStream == stream) {
            delayedStream = null;
        }
    }

    /** Called when all streams have ended. */
    void forgetAll() {
        delayedStream = null;
    }

    void release() {
        blocks.release();
    }

    /** Delays a request until all received data is read, so that the body can be sent together with the head. */
    void delayRequest(ClientStream stream) {
        delayedStream = stream;
    }

    /** Sends the delayed request. */
    void sendDelayedRequest() {
        ClientStream stream = delayedStream;
        if (stream != null) {
            delayedStream = null;
            stream.forwardRequest();
        }
    }

    @Override
    public boolean frame(int type, int flags, int stream, ByteBuf source, int at, int length) {
        if (lifecycle.isClosing()) {
            return false;
        }
        if (!prefaceReceived && (type != Frame.SETTINGS || (flags & Frame.ACK) != 0)) {
            return lifecycle.fail(ErrorCode.PROTOCOL_ERROR); // RFC 9113 section 3.4
        }
        prefaceReceived = true;
        if (blocks.isOpen() && (type != Frame.CONTINUATION || stream != blocks.stream())) {
            return lifecycle.fail(ErrorCode.PROTOCOL_ERROR); // RFC 9113 section 6.2: a CONTINUATION frame must follow
        }
        ClientStream before = delayedStream;
        boolean continues =
                switch (type) {
                    case Frame.DATA -> data(flags, stream, source, at, length);
                    case Frame.HEADERS -> headers(flags, stream, source, at, length);
                    case Frame.CONTINUATION -> continuation(flags, stream, source, at, length);
                    case Frame.PRIORITY -> priority(stream, source, at, length);
                    case Frame.RST_STREAM -> reset(stream, length);
                    case Frame.SETTINGS -> settings(flags, stream, source, at, length);
                    case Frame.PUSH_PROMISE -> lifecycle.fail(ErrorCode.PROTOCOL_ERROR);
                    case Frame.PING -> ping(flags, stream, source, at, length);
                    case Frame.GOAWAY -> goAway(stream, length);
                    case Frame.WINDOW_UPDATE -> windowUpdate(stream, source, at, length);
                    case Frame.PRIORITY_UPDATE -> priorityUpdate(stream, source, at, length);
                    default -> lifecycle.charge(FloodGuard.FRAME); // RFC 9113 section 4.1: ignore unknown types
                };
        if (before != null && before == delayedStream) {
            sendDelayedRequest(); // this was the first frame after the head of the delayed request
        }
        return continues && !lifecycle.isClosing();
    }

    @Override
    public void frameTooLarge(int type, int stream) {
        lifecycle.fail(ErrorCode.FRAME_SIZE_ERROR);
    }

    // ---- requests

    private boolean headers(int flags, int stream, ByteBuf source, int at, int length) {
        if ((stream & 1) == 0) {
            return lifecycle.fail(ErrorCode.PROTOCOL_ERROR);
        }
        int padding = (flags & Frame.PADDED) != 0 ? 1 : 0;
        int extra = padding + ((flags & Frame.PRIORITIZED) != 0 ? Frame.PRIORITY_BYTES : 0);
        int pads = padding > 0 && length > 0 ? source.getUnsignedByte(at) : 0;
        if (length < extra) {
            return lifecycle.fail(ErrorCode.FRAME_SIZE_ERROR);
        }
        if (pads > length - extra) {
            return lifecycle.fail(ErrorCode.PROTOCOL_ERROR);
        }
        if (extra > padding && (source.getInt(at + padding) & Integer.MAX_VALUE) == stream) {
            return lifecycle.fail(ErrorCode.PROTOCOL_ERROR); // the stream depends on itself (RFC 9113 section 5.3.1)
        }
        boolean endsStream = (flags & Frame.END_STREAM) != 0;
        if (!blocks.begin(stream, endsStream, source, at + extra, length - extra - pads)) {
            return lifecycle.fail(ErrorCode.ENHANCE_YOUR_CALM);
        }
        if ((flags & Frame.END_HEADERS) == 0) {
            lifecycle.awaitHead();
            return true;
        }
        return handleHeaderBlock();
    }

    private boolean continuation(int flags, int stream, ByteBuf source, int at, int length) {
        if (!blocks.isOpen()) {
            return lifecycle.fail(ErrorCode.PROTOCOL_ERROR);
        }
        if (!blocks.add(source, at, length) || !lifecycle.charge(FloodGuard.FRAME)) {
            return lifecycle.isClosing() || lifecycle.fail(ErrorCode.ENHANCE_YOUR_CALM);
        }
        return (flags & Frame.END_HEADERS) == 0 || handleHeaderBlock();
    }

    /** Handles a complete header block. */
    private boolean handleHeaderBlock() {
        int stream = blocks.stream();
        Http2Stream known = streams.find(stream);
        if (known != null) {
            return trailers(known);
        }
        if (stream <= lastStream) {
            boolean wasReset = streams.wasReset(stream);
            if (!blocks.decode(loop.trailers())) {
                return lifecycle.fail(ErrorCode.COMPRESSION_ERROR);
            }
            return wasReset ? lifecycle.charge(FloodGuard.FRAME) : lifecycle.fail(ErrorCode.STREAM_CLOSED);
        }
        loop.head().begin(maxHeadBytes);
        loop.head().prioritize(priorities.removeEarlyPriority(stream));
        if (connection.webSocket() != null) {
            loop.head().allowWebSocket(loop.worker().random());
        }
        if (!blocks.decode(loop.head())) {
            return lifecycle.fail(ErrorCode.COMPRESSION_ERROR);
        }
        loop.head().end(blocks.endsStream());
        sendDelayedRequest();
        lastStream = stream;
        if (lifecycle.isGoingAway() || streams.count() == Http2Connection.MAX_STREAMS) {
            return refuse(stream, ErrorCode.REFUSED_STREAM);
        }
        HeadError fault = loop.head().fault();
        if (fault != null) {
            streams.add(stream).refuse(stream, blocks.endsStream(), fault);
            return !lifecycle.isClosing();
        }
        lifecycle.headReceived();
        Http2Stream started = streams.add(stream);
        priorities.begin(started, loop.head().priority());
        started.begin(stream, blocks.endsStream());
        lifecycle.countServed();
        return true;
    }

    private boolean refuse(int stream, ErrorCode code) {
        frames.reset(stream, code);
        streams.noteReset(stream);
        return lifecycle.charge(FloodGuard.RESET);
    }

    private boolean trailers(Http2Stream stream) {
        loop.trailers().begin(maxHeadBytes, stream.trailerRules());
        if (!blocks.decode(loop.trailers())) {
            return lifecycle.fail(ErrorCode.COMPRESSION_ERROR);
        }
        if (stream.body().hasEnded()) {
            connection.resetStream(stream, ErrorCode.STREAM_CLOSED);
        } else if (!blocks.endsStream()) {
            stream.resetMalformed("a second HEADERS frame without END_STREAM");
        } else if (loop.trailers().isMalformed()) {
            stream.resetMalformed("malformed or forbidden trailers");
        } else {
            stream.body().receiveTrailers();
        }
        lifecycle.updateDeadline();
        return true;
    }

    private boolean data(int flags, int stream, ByteBuf source, int at, int length) {
        if (stream == 0) {
            return lifecycle.fail(ErrorCode.PROTOCOL_ERROR);
        }
        int padding = (flags & Frame.PADDED) != 0 ? 1 : 0;
        int pads = padding > 0 && length > 0 ? source.getUnsignedByte(at) : 0;
        if (length < padding) {
            return lifecycle.fail(ErrorCode.FRAME_SIZE_ERROR);
        }
        if (pads > length - padding) {
            return lifecycle.fail(ErrorCode.PROTOCOL_ERROR);
        }
        if (!receiveWindow(length)) {
            return lifecycle.fail(ErrorCode.FLOW_CONTROL_ERROR);
        }
        int content = length - padding - pads;
        bodyBytes += content;
        boolean endsStream = (flags & Frame.END_STREAM) != 0;
        if (content == 0 && !endsStream && !lifecycle.charge(FloodGuard.FRAME)) {
            return false;
        }
        Http2Stream target = streams.find(stream);
        if (target == null) {
            if (stream > lastStream) {
                return lifecycle.fail(ErrorCode.PROTOCOL_ERROR); // a frame for an idle stream (RFC 9113 section 5.1)
            }
            return streams.wasReset(stream) || lifecycle.fail(ErrorCode.STREAM_CLOSED);
        }
        if (target.body().hasEnded()) {
            connection.resetStream(target, ErrorCode.STREAM_CLOSED);
        } else {
            target.body().receive(source, at + padding, content, length, endsStream);
        }
        return true;
    }

    /**
     * Counts received data and immediately adds credit to the connection window. The stream windows limit the data, so
     * a slow stream does not block other streams.
     */
    private boolean receiveWindow(int length) {
        receiveWindow -= length;
        if (receiveWindow < 0) {
            return false;
        }
        if (receiveWindow < Http2Connection.CONNECTION_WINDOW / 2) {
            frames.windowUpdate(0, (int) (Http2Connection.CONNECTION_WINDOW - receiveWindow));
            receiveWindow = Http2Connection.CONNECTION_WINDOW;
        }
        return true;
    }

    private boolean reset(int stream, int length) {
        if (stream == 0 || stream > lastStream) {
            return lifecycle.fail(ErrorCode.PROTOCOL_ERROR);
        }
        if (length != Frame.CODE_BYTES) {
            return lifecycle.fail(ErrorCode.FRAME_SIZE_ERROR);
        }
        Http2Stream target = streams.find(stream);
        boolean cancelsRequest = target != null && target.isServing();
        if (target != null) {
            connection.remove(target);
            target.stop(Failure.CLIENT_GONE);
            streams.recycle(target);
            lifecycle.updateDeadline();
        }
        return lifecycle.charge(cancelsRequest ? FloodGuard.RESET : FloodGuard.FRAME);
    }

    // ---- other frames

    private boolean priority(int stream, ByteBuf source, int at, int length) {
        if (stream == 0) {
            return lifecycle.fail(ErrorCode.PROTOCOL_ERROR);
        }
        if (length != Frame.PRIORITY_BYTES) {
            return refuseOrFail(stream, ErrorCode.FRAME_SIZE_ERROR);
        }
        if ((source.getInt(at) & Integer.MAX_VALUE) == stream) {
            return refuseOrFail(stream, ErrorCode.PROTOCOL_ERROR);
        }
        return lifecycle.charge(FloodGuard.FRAME);
    }

    private boolean priorityUpdate(int stream, ByteBuf source, int at, int length) {
        ErrorCode fault = priorities.update(stream, source, at, length, lastStream);
        return fault == null ? lifecycle.charge(FloodGuard.FRAME) : lifecycle.fail(fault);
    }

    /** Resets the stream if it is open; otherwise closes the connection. */
    private boolean refuseOrFail(int stream, ErrorCode code) {
        Http2Stream target = streams.find(stream);
        if (target == null) {
            return lifecycle.fail(code);
        }
        connection.resetStream(target, code);
        return true;
    }

    private boolean settings(int flags, int stream, ByteBuf source, int at, int length) {
        if (stream != 0) {
            return lifecycle.fail(ErrorCode.PROTOCOL_ERROR);
        }
        if ((flags & Frame.ACK) != 0) {
            return length == 0 ? lifecycle.charge(FloodGuard.FRAME) : lifecycle.fail(ErrorCode.FRAME_SIZE_ERROR);
        }
        if (length % Setting.BYTES != 0) {
            return lifecycle.fail(ErrorCode.FRAME_SIZE_ERROR);
        }
        int before = settings.initialWindow();
        long tableBefore = settings.minTable();
        ErrorCode fault = settings.apply(source, at, length);
        if (fault != null) {
            return lifecycle.fail(fault);
        }
        if (tableBefore == Setting.DEFAULT_TABLE && settings.minTable() < tableBefore) {
            frames.peerTableReduced(); // needed only once, because our encoder then uses a table of size 0
        }
        int change = settings.initialWindow() - before;
        flow.initialWindow(settings.initialWindow());
        if (change != 0 && !streams.allMatch(target -> target.windowUpdate(change))) {
            return lifecycle.fail(ErrorCode.FLOW_CONTROL_ERROR);
        }
        frames.settingsAck();
        if (!settingsReceived || !streams.isEmpty()) {
            lifecycle.updateDeadline(); // periodic SETTINGS frames must not extend the idle timeout
        }
        settingsReceived = true;
        flow.pump();
        return lifecycle.charge(FloodGuard.FRAME);
    }

    private boolean ping(int flags, int stream, ByteBuf source, int at, int length) {
        if (stream != 0) {
            return lifecycle.fail(ErrorCode.PROTOCOL_ERROR);
        }
        if (length != Frame.PING_BYTES) {
            return lifecycle.fail(ErrorCode.FRAME_SIZE_ERROR);
        }
        if ((flags & Frame.ACK) == 0) {
            frames.pingAck(source.getLong(at));
        }
        return lifecycle.charge(FloodGuard.FRAME);
    }

    private boolean goAway(int stream, int length) {
        if (stream != 0) {
            return lifecycle.fail(ErrorCode.PROTOCOL_ERROR);
        }
        if (length < 2 * Integer.BYTES) {
            return lifecycle.fail(ErrorCode.FRAME_SIZE_ERROR);
        }
        lifecycle.goAwayReceived();
        return true;
    }

    private boolean windowUpdate(int stream, ByteBuf source, int at, int length) {
        guard.creditSentFrames(flow.takeUsefulFrames());
        if (length != Frame.CODE_BYTES) {
            return lifecycle.fail(ErrorCode.FRAME_SIZE_ERROR);
        }
        int increment = source.getInt(at) & Integer.MAX_VALUE;
        if (stream == 0) {
            if (increment == 0) {
                return lifecycle.fail(ErrorCode.PROTOCOL_ERROR);
            }
            if (!flow.grow(increment)) {
                return lifecycle.fail(ErrorCode.FLOW_CONTROL_ERROR);
            }
            flow.pump();
            return lifecycle.charge(FloodGuard.FRAME);
        }
        Http2Stream target = streams.find(stream);
        if (target == null) {
            return stream <= lastStream ? lifecycle.charge(FloodGuard.FRAME) : lifecycle.fail(ErrorCode.PROTOCOL_ERROR);
        }
        if (increment == 0) {
            connection.resetStream(target, ErrorCode.PROTOCOL_ERROR);
        } else if (!target.windowUpdate(increment)) {
            connection.resetStream(target, ErrorCode.FLOW_CONTROL_ERROR);
        } else {
            flow.pump();
        }
        return lifecycle.charge(FloodGuard.FRAME);
    }
}
