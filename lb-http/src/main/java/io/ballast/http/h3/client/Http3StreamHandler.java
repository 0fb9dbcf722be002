package io.ballast.http.h3.client;

import io.ballast.http.head.HeadError;
import io.ballast.http.multiplex.FloodGuard;
import io.ballast.http.multiplex.Http1RequestHeadBuilder;
import io.ballast.http.multiplex.TrailerLines;
import io.ballast.http.net.UnexpectedErrors;
import io.ballast.http.net.Worker;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http3.Http3DataFrame;
import io.netty.handler.codec.http3.Http3Exception;
import io.netty.handler.codec.http3.Http3Headers;
import io.netty.handler.codec.http3.Http3HeadersFrame;
import io.netty.handler.codec.http3.Http3HeadersValidationException;
import io.netty.handler.codec.quic.QuicException;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Passes the frames of one QUIC stream to a stream object, which serves the request. Reads only while little of the
 * request waits to be forwarded. Event-loop confined.
 */
final class Http3StreamHandler extends ChannelInboundHandlerAdapter {

    /** The interval of the checks whether a client that waits for a response has cancelled the request. */
    private static final Duration PRESENCE_CHECK = Duration.ofSeconds(5);

    /** How long a GET or HEAD without a body length waits for the end of its stream. */
    private static final int END_DELAY_MILLIS = 20;

    private static final AsciiString CONTENT_LENGTH = AsciiString.cached("content-length");

    private final Http3Connection connection;
    private final Worker worker;
    private final QuicStreamChannel channel;
    private final Deadline deadline = new Deadline();

    /** The head of the request, until it is known whether a body follows; null before and afterwards. */
    private @Nullable Http3Headers head;
    /** The object that serves the request; null before the head, and after the end of the stream. */
    private @Nullable Http3Stream stream;

    private boolean headReceived;
    private boolean bodyEnded;
    private boolean isDelayed;
    private boolean isReading;
    private boolean ended;

    Http3StreamHandler(Http3Connection connection, QuicStreamChannel channel) {
        this.connection = connection;
        this.worker = connection.loop().worker();
        this.channel = channel;
    }

    QuicStreamChannel channel() {
        return channel;
    }

    // ---- reading

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        channel.config().setAutoRead(false);
        worker.readClock();
        worker.setDeadline(deadline, connection.settings().config().deadlines().requestHead());
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        worker.readClock();
        isReading = true;
        try {
            if (ended) {
                return;
            }
            if (message instanceof Http3HeadersFrame frame) {
                headers(frame.headers());
            } else if (message instanceof Http3DataFrame frame) {
                data(frame.content());
            } else {
                connection.charge(FloodGuard.FRAME); // a frame of an unknown type, which is ignored
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void headers(Http3Headers fields) {
        if (!headReceived) {
            headReceived = true;
            head = fields;
            return;
        }
        beginHeld(/* endsStream= */ false);
        Http3Stream served = stream;
        if (served == null || bodyEnded) {
            return;
        }
        bodyEnded = true;
        TrailerLines trailers = connection.loop().trailers();
        trailers.begin(connection.maxHeadBytes(), served.trailerRules());
        read(fields, trailers::field);
        if (trailers.isMalformed()) {
            served.resetMalformed("malformed or forbidden trailers");
        } else {
            served.body().receiveTrailers();
        }
    }

    private void data(ByteBuf content) {
        beginHeld(/* endsStream= */ false);
        Http3Stream served = stream;
        int length = content.readableBytes();
        connection.countReceived(length);
        if (served == null || bodyEnded) {
            return;
        }
        if (length == 0) {
            connection.charge(FloodGuard.FRAME);
        } else {
            served.body().receive(content, content.readerIndex(), length, length, /* endsStream= */ false);
        }
    }

    /** Begins the request whose head was received. */
    private void beginHeld(boolean endsStream) {
        Http3Headers fields = head;
        if (fields == null) {
            return;
        }
        head = null;
        if (!connection.accepts(channel.streamId())) {
            end(Http3Code.REQUEST_REJECTED);
            return;
        }
        bodyEnded = endsStream;
        Http1RequestHeadBuilder builder = connection.loop().head();
        builder.begin(connection.maxHeadBytes());
        connection.countReceived(read(fields, builder::field));
        builder.end(endsStream);
        Http3Stream begun = connection.open(this);
        stream = begun;
        worker.setDeadline(deadline, PRESENCE_CHECK);
        HeadError fault = builder.fault();
        if (fault == null) {
            begun.begin(channel.streamId(), endsStream);
            connection.countServed();
        } else {
            begun.refuse(channel.streamId(), endsStream, fault);
        }
    }

    /** Receives the fields of a head. */
    @FunctionalInterface
    private interface Fields {
        void field(byte[] names, int nameFrom, int nameLength, byte[] values, int valueFrom, int valueLength);
    }

    /** Passes all fields to {@code target}; returns their size in bytes. */
    private static int read(Http3Headers fields, Fields target) {
        int bytes = 0;
        for (Map.Entry<CharSequence, CharSequence> field : fields) {
            AsciiString name = AsciiString.of(field.getKey());
            AsciiString value = AsciiString.of(field.getValue());
            bytes += name.length() + value.length();
            target.field(
                    name.array(),
                    name.arrayOffset(),
                    name.length(),
                    value.array(),
                    value.arrayOffset(),
                    value.length());
        }
        return bytes;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        isReading = false;
        if (head != null) {
            if (channel.isInputShutdown()) {
                beginHeld(/* endsStream= */ true);
            } else {
                worker.eventLoop()
                        .schedule(this::beginWithBody, mayHaveNoBody() ? END_DELAY_MILLIS : 0, TimeUnit.MILLISECONDS);
            }
        }
        readComplete();
    }

    /**
     * Whether the request probably has no body, although its stream has not ended. The end may arrive in the next datagram,
     * and a request without a body is forwarded without chunked coding.
     */
    private boolean mayHaveNoBody() {
        Http3Headers fields = head;
        if (fields == null || fields.contains(CONTENT_LENGTH)) {
            return false;
        }
        CharSequence method = fields.method();
        return method != null
                && (AsciiString.contentEquals(method, "GET") || AsciiString.contentEquals(method, "HEAD"));
    }

    private void beginWithBody() {
        worker.readClock();
        beginHeld(/* endsStream= */ false);
        readComplete();
    }

    private void readComplete() {
        sendDelayed();
        resumeReading();
    }

    /** Delays a request until all received data is read, so that its body can be sent with the head. */
    void delay() {
        isDelayed = true;
    }

    private void sendDelayed() {
        Http3Stream served = stream;
        if (isDelayed && served != null) {
            isDelayed = false;
            served.forwardRequest();
        }
    }

    /** Reads more if little of the request waits to be forwarded. */
    void resumeReading() {
        Http3Stream served = stream;
        if (!ended && !isReading && (served == null || served.window().mayRead())) {
            channel.read();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE && !ended) {
            worker.readClock();
            beginHeld(/* endsStream= */ true);
            Http3Stream served = stream;
            if (served == null) {
                end(Http3Code.REQUEST_INCOMPLETE);
            } else if (!bodyEnded) {
                bodyEnded = true;
                served.body().receive(Unpooled.EMPTY_BUFFER, /* at= */ 0, /* length= */ 0, /* frameBytes= */ 0, true);
            }
            sendDelayed();
        }
    }

    // ---- writing

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (channel.isWritable()) {
            writable();
        }
    }

    /** Sends more of the response. */
    void writable() {
        Http3Stream served = stream;
        if (served != null) {
            served.pump();
        }
    }

    /** Called when the client accepts no more of the response; ends the stream after the current call. */
    void clientCancelled() {
        worker.eventLoop().execute(() -> cancel(Http3Code.REQUEST_CANCELLED));
    }

    // ---- end

    /** Releases the stream object; the QUIC stream ends when both sides have ended it. */
    void detach() {
        stream = null;
        ended = true;
        worker.deadlines().remove(deadline);
        if (channel.isOpen() && !channel.isInputShutdown()) {
            channel.config().setAutoRead(true); // reads the end of the stream after trailers; other data is dropped
        }
    }

    /** Like {@link #detach()}, for a stream whose client sends no more. */
    void close() {
        detach();
        channel.close();
    }

    /** Resets both directions of the QUIC stream. */
    void end(Http3Code code) {
        detach();
        if (channel.isOpen()) {
            connection.countAborted();
            channel.shutdown(code.number);
            channel.close();
        }
    }

    /** Asks the client to send no more of the request. */
    void stopReceiving() {
        connection.countAborted();
        channel.shutdownInput(Http3Code.NO_ERROR.number);
    }

    /** Ends a request that the client has cancelled. */
    private void cancel(Http3Code code) {
        if (!ended) {
            Http3Stream served = stream;
            boolean wastesWork = served != null && served.isServing();
            if (served != null) {
                connection.cancelled(served);
            }
            end(code);
            connection.charge(wastesWork ? FloodGuard.RESET : FloodGuard.FRAME);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        cancelled();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        cancelled();
    }

    private void cancelled() {
        head = null;
        if (!ended) {
            Http3Stream served = stream;
            if (served != null) {
                connection.cancelled(served);
            }
            detach();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        worker.readClock();
        isReading = false;
        if (cause instanceof Http3HeadersValidationException) {
            malformed(HeadError.MALFORMED_PSEUDO_HEADER);
        } else if (cause instanceof QuicException) {
            cancel(Http3Code.REQUEST_CANCELLED); // the client has reset the stream
        } else if (cause instanceof Http3Exception) {
            malformed(HeadError.WRONG_BODY_LENGTH); // Netty closes the connection if the error concerns it
        } else if (!(cause instanceof ClosedChannelException)) {
            UnexpectedErrors.report(cause);
            cancel(Http3Code.INTERNAL_ERROR);
        }
    }

    /** Ends a request that Netty has rejected. */
    private void malformed(HeadError fault) {
        if (ended) {
            return;
        }
        head = null;
        Http3Stream served = stream;
        if (served != null) {
            served.resetMalformed(fault.text);
        } else if (!headReceived) {
            headReceived = true;
            connection.loop().head().begin(connection.maxHeadBytes());
            Http3Stream begun = connection.open(this);
            stream = begun;
            begun.refuse(channel.streamId(), /* endsStream= */ true, fault);
        } else {
            end(Http3Code.MESSAGE_ERROR);
        }
    }

    private final class Deadline extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            Http3Stream served = stream;
            if (served == null) {
                end(Http3Code.REQUEST_REJECTED); // the head has not arrived in time
                return;
            }
            if (served.isServing()) {
                ((Http3ResponseStream) served.response()).checkPresence();
            }
            worker.setDeadline(this, PRESENCE_CHECK);
        }
    }
}
