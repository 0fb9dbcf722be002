package io.ballast.http.check;

import io.ballast.core.config.HealthCheck;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.h2.wire.FrameReader;
import io.ballast.http.h2.wire.HeaderBlock;
import io.ballast.http.h2.wire.HeaderBlocks;
import io.ballast.http.h2.wire.Preface;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.net.ConnectErrors;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends one HTTP/2 request (RFC 9113) and reads as much of the response as its {@link Answer} needs. The
 * check reports its result without waiting for the rest of the response. Then the connection receives the
 * rest, within limits, and is closed with GOAWAY, {@code close_notify} and FIN after the end of the stream. A
 * stream that exceeds the limits is cancelled.
 */
final class Http2Check extends ChannelInboundHandlerAdapter implements FrameReader.Sink {

    /**
     * Evaluates the response. An implementation does not take ownership of its arguments. It gives the verdict
     * before it asks to stop reading.
     */
    interface Answer {

        /**
         * Receives the final response headers, or the trailers, which have no status.
         *
         * @param last whether the stream ends here
         * @return whether more of the response is needed
         */
        boolean fields(Http2Fields fields, boolean last);

        /** Receives a part of the body; returns whether more is needed. */
        boolean data(ByteBuf source, int at, int length, boolean last);

        void failed(String reason);
    }

    private static final String NOT_HTTP = "not an HTTP/2 response";
    private static final int STREAM = 1;
    private static final int GOAWAY_BYTES = 8;
    private static final int MAX_HEAD_BYTES = 64 * 1024;
    private static final int FIRST_FINAL_STATUS = 200;
    private static final int CANCEL = 8;

    /** The flow control window of a stream. It is never extended, so the body cannot be longer. */
    private static final int WINDOW = 65_535;

    private static final long MAX_REST_MILLIS = 1_000;

    /**
     * Maximum number of SETTINGS frames; a normal backend sends one, and at most a few more to extend its
     * windows.
     */
    private static final int MAX_SETTINGS = 16;

    /** Indexes in the static table of HPACK (RFC 7541 appendix A). */
    private static final int AUTHORITY = 1;

    private static final int METHOD = 2;
    private static final int PATH = 4;
    private static final int HTTP = 6;
    private static final int HTTPS = 7;

    private final Answer answer;
    private final Channel channel;
    private final FrameReader reader;
    private final HeaderBlocks blocks = new HeaderBlocks(MAX_HEAD_BYTES);
    private final Http2Fields fields = new Http2Fields(MAX_HEAD_BYTES);
    private final InformationalResponseCounter informational = new InformationalResponseCounter();
    private int settings;
    private int dataBytes;
    private boolean headReceived;
    private boolean done;
    private @Nullable CheckConnectionClose end;

    private Http2Check(Answer answer, Channel channel) {
        this.answer = answer;
        this.channel = channel;
        this.reader = new FrameReader(this, channel.alloc());
    }

    /** Runs a check of type {@code http} or {@code https} on a connection with TLS. */
    static void run(Channel channel, String hostHeader, CheckResponseEvaluator evaluator) {
        HealthCheck.Http check = evaluator.check();
        HeaderBlock head =
                head(check.method(), /* secured= */ true, check.host().orElse(hostHeader), check.path());
        CheckHeaders.of(check).forEach(header -> field(head, header.name(), header.value()));
        run(channel, head, /* body= */ new byte[0], new Http2CheckResponse(evaluator));
    }

    /** Creates a request head with its pseudo-header fields. */
    static HeaderBlock head(String method, boolean secured, String authority, String path) {
        HeaderBlock head = new HeaderBlock();
        literal(head, METHOD, method);
        head.indexed(secured ? HTTPS : HTTP);
        literal(head, AUTHORITY, authority);
        literal(head, PATH, path);
        return head;
    }

    static void field(HeaderBlock head, String name, String value) {
        byte[] names = ByteClasses.ascii(name);
        byte[] values = ByteClasses.ascii(value);
        head.field(names, 0, names.length, values, 0, values.length);
    }

    /** @param body the body, which must fit into one frame; empty if there is none */
    static void run(Channel channel, HeaderBlock head, byte[] body, Answer answer) {
        channel.pipeline().addLast(new Http2Check(answer, channel));
        ByteBuf opening = channel.alloc().buffer();
        opening.writeBytes(Preface.bytes());
        frame(opening, Setting.BYTES, Frame.SETTINGS, 0, 0)
                .writeShort(Setting.ENABLE_PUSH)
                .writeInt(0);
        int flags = Frame.END_HEADERS | (body.length == 0 ? Frame.END_STREAM : 0);
        frame(opening, head.length(), Frame.HEADERS, flags, STREAM).writeBytes(head.bytes(), 0, head.length());
        if (body.length > 0) {
            frame(opening, body.length, Frame.DATA, Frame.END_STREAM, STREAM).writeBytes(body);
        }
        channel.writeAndFlush(opening).addListener(sent -> {
            if (!sent.isSuccess()) {
                answer.failed(ConnectErrors.text(sent.cause()));
            }
        });
    }

    private static void literal(HeaderBlock head, int name, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.US_ASCII);
        head.literal(name, bytes, 0, bytes.length);
    }

    private static ByteBuf frame(ByteBuf target, int length, int type, int flags, int stream) {
        return target.writeMedium(length).writeByte(type).writeByte(flags).writeInt(stream);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf data = (ByteBuf) message;
        if (end == null) {
            reader.read(data);
        } else {
            end.dropped(data.readableBytes());
            data.release();
        }
    }

    @Override
    public boolean frame(int type, int flags, int stream, ByteBuf source, int at, int length) {
        if (settings == 0 && (type != Frame.SETTINGS || (flags & Frame.ACK) != 0)) {
            return failed(NOT_HTTP);
        }
        if (type == Frame.DATA) {
            dataBytes += length;
        }
        if (done) {
            return handleFrameAfterVerdict(type, flags, stream);
        }
        return switch (type) {
            case Frame.SETTINGS -> settings(flags);
            case Frame.HEADERS -> headers(flags, stream, source, at, length);
            case Frame.CONTINUATION ->
                (!blocks.isOpen() || !blocks.add(source, at, length)) ? failed(NOT_HTTP) : headersEnd(flags);
            case Frame.DATA -> data(flags, stream, source, at, length);
            case Frame.RST_STREAM -> failed("the backend reset the stream");
            case Frame.GOAWAY -> failed("the backend closed the connection (GOAWAY)");
            default -> true;
        };
    }

    /**
     * Acknowledges a SETTINGS frame. The number of SETTINGS frames is limited, because the acknowledgements would
     * accumulate if the backend does not read them. PING frames are not answered.
     */
    private boolean settings(int flags) {
        if ((flags & Frame.ACK) != 0) {
            return true;
        }
        if (++settings > MAX_SETTINGS) {
            return failed("more than " + MAX_SETTINGS + " SETTINGS frames");
        }
        ByteBuf ack = frame(channel.alloc().buffer(), 0, Frame.SETTINGS, Frame.ACK, 0);
        channel.writeAndFlush(ack, channel.voidPromise());
        return true;
    }

    private boolean headers(int flags, int stream, ByteBuf source, int at, int length) {
        int padding = (flags & Frame.PADDED) != 0 ? 1 : 0;
        int extra = padding + ((flags & Frame.PRIORITIZED) != 0 ? Frame.PRIORITY_BYTES : 0);
        int pads = padding > 0 && length > 0 ? source.getUnsignedByte(at) : 0;
        boolean ends = (flags & Frame.END_STREAM) != 0;
        if (stream != STREAM
                || pads > length - extra
                || !blocks.begin(stream, ends, source, at + extra, length - extra - pads)) {
            return failed(NOT_HTTP);
        }
        return headersEnd(flags);
    }

    private boolean headersEnd(int flags) {
        if ((flags & Frame.END_HEADERS) == 0) {
            return true;
        }
        fields.begin();
        if (!blocks.decode(fields)) {
            return failed(NOT_HTTP);
        }
        if (fields.isTooLarge()) {
            return failed("the response head is larger than " + MAX_HEAD_BYTES / 1024 + " KiB");
        }
        int status = fields.status();
        boolean isTrailers = headReceived;
        boolean isInformational = !isTrailers && status < FIRST_FINAL_STATUS;
        if (isTrailers == (status > 0)
                || (isTrailers && !blocks.endsStream())
                || (isInformational && blocks.endsStream())) {
            return failed(NOT_HTTP); // a malformed response (RFC 9113 section 8.1)
        }
        if (isInformational) {
            return informational.tryIncrement() || failed(InformationalResponseCounter.TOO_MANY);
        }
        headReceived = true;
        return answer.fields(fields, blocks.endsStream()) || finished(blocks.endsStream());
    }

    private boolean data(int flags, int stream, ByteBuf source, int at, int length) {
        int padding = (flags & Frame.PADDED) != 0 ? 1 : 0;
        int pads = padding > 0 && length > 0 ? source.getUnsignedByte(at) : 0;
        if (stream != STREAM || !headReceived || pads > length - padding) {
            return failed(NOT_HTTP);
        }
        boolean last = (flags & Frame.END_STREAM) != 0;
        return answer.data(source, at + padding, length - padding - pads, last) || finished(last);
    }

    @Override
    public void frameTooLarge(int type, int stream) {
        failed(NOT_HTTP);
    }

    private boolean failed(String reason) {
        done = true;
        answer.failed(reason);
        closeConnection(/* cancels= */ false);
        return false;
    }

    /** Ends the check's request after the verdict; returns whether to continue reading frames. */
    private boolean finished(boolean streamEnded) {
        done = true;
        if (streamEnded || dataBytes >= WINDOW) {
            closeConnection(!streamEnded);
        } else {
            Future<?> limit = channel.eventLoop()
                    .schedule(() -> closeConnection(/* cancels= */ true), MAX_REST_MILLIS, TimeUnit.MILLISECONDS);
            channel.closeFuture().addListener(closed -> limit.cancel(/* mayInterruptIfRunning= */ false));
        }
        return end == null;
    }

    /** Handles a frame after the verdict, while waiting for the end of the response. */
    private boolean handleFrameAfterVerdict(int type, int flags, int stream) {
        boolean ends =
                (type == Frame.DATA || type == Frame.HEADERS) && stream == STREAM && (flags & Frame.END_STREAM) != 0;
        if (ends || type == Frame.RST_STREAM || type == Frame.GOAWAY) {
            closeConnection(/* cancels= */ false);
        } else if (dataBytes >= WINDOW) {
            closeConnection(/* cancels= */ true);
        } else if (type == Frame.SETTINGS) {
            settings(flags);
        }
        return end == null;
    }

    private void closeConnection(boolean cancels) {
        if (end != null || !channel.isActive()) {
            return;
        }
        ByteBuf lastFrames = channel.alloc().buffer();
        if (cancels) {
            frame(lastFrames, Integer.BYTES, Frame.RST_STREAM, 0, STREAM).writeInt(CANCEL);
        }
        frame(lastFrames, GOAWAY_BYTES, Frame.GOAWAY, 0, 0)
                .writeInt(/* lastStream= */ 0)
                .writeInt(/* error= */ 0);
        channel.writeAndFlush(lastFrames, channel.voidPromise());
        end = CheckConnectionClose.halfClose(channel);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        reader.release();
        if (!done) {
            done = true;
            answer.failed("connection closed " + (headReceived ? "during the response" : "without a response"));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!done) {
            failed(ConnectErrors.text(cause));
        }
    }
}
