package io.ballast.http.check;

import io.ballast.core.config.HealthCheck;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.h2.wire.FrameReader;
import io.ballast.http.h2.wire.HeaderBlock;
import io.ballast.http.h2.wire.HeaderBlocks;
import io.ballast.http.h2.wire.Preface;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.head.Octets;
import io.ballast.http.net.ConnectCause;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;

/** One request by HTTP/2 (RFC 9113) over TLS and a look at the status of its response; the rest is not waited for. */
final class Http2Check extends ChannelInboundHandlerAdapter implements FrameReader.Sink {

    private static final String NOT_HTTP = "not an HTTP/2 response";
    private static final int STREAM = 1;
    private static final int MOST_HEAD_BYTES = 64 * 1024;
    private static final int FIRST_FINAL_STATUS = 200;

    /** Entries of the static table (RFC 7541 appendix A). */
    private static final int AUTHORITY = 1;

    private static final int METHOD = 2;
    private static final int PATH = 4;
    private static final int HTTPS = 7;
    private static final int ACCEPT = 19;
    private static final int USER_AGENT = 58;
    private static final byte[] STATUS = Octets.ascii(":status");

    private final HealthCheck.Http check;
    private final Verdict verdict;
    private final Channel channel;
    private final FrameReader reader;
    private final HeaderBlocks blocks = new HeaderBlocks(MOST_HEAD_BYTES);
    private boolean begun;
    private int status;

    private Http2Check(HealthCheck.Http check, Verdict verdict, Channel channel) {
        this.check = check;
        this.verdict = verdict;
        this.channel = channel;
        this.reader = new FrameReader(this, channel.alloc());
    }

    static void run(Channel channel, HealthCheck.Http check, String hostHeader, Verdict verdict) {
        channel.pipeline().addLast(new Http2Check(check, verdict, channel));
        HeaderBlock head = new HeaderBlock();
        literal(head, METHOD, check.method());
        head.indexed(HTTPS);
        literal(head, AUTHORITY, check.host().orElse(hostHeader));
        literal(head, PATH, check.path());
        literal(head, ACCEPT, "*/*");
        literal(head, USER_AGENT, "ballast-health-check");
        ByteBuf opening = channel.alloc().buffer();
        opening.writeBytes(Preface.octets());
        frame(opening, Setting.BYTES, Frame.SETTINGS, 0, 0)
                .writeShort(Setting.ENABLE_PUSH)
                .writeInt(0);
        frame(opening, head.length(), Frame.HEADERS, Frame.END_STREAM | Frame.END_HEADERS, STREAM)
                .writeBytes(head.bytes(), 0, head.length());
        channel.writeAndFlush(opening).addListener(sent -> {
            if (!sent.isSuccess()) {
                verdict.failed(ConnectCause.text(sent.cause()));
            }
        });
    }

    private static void literal(HeaderBlock head, int name, String value) {
        byte[] octets = value.getBytes(StandardCharsets.US_ASCII);
        head.literal(name, octets, 0, octets.length);
    }

    private static ByteBuf frame(ByteBuf target, int length, int type, int flags, int stream) {
        return target.writeMedium(length).writeByte(type).writeByte(flags).writeInt(stream);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        reader.read((ByteBuf) message);
    }

    @Override
    public boolean frame(int type, int flags, int stream, ByteBuf source, int at, int length) {
        if (!begun && type != Frame.SETTINGS) {
            return failed(NOT_HTTP);
        }
        begun = true;
        return switch (type) {
            case Frame.SETTINGS -> settings(flags);
            case Frame.HEADERS -> headers(flags, stream, source, at, length);
            case Frame.CONTINUATION ->
                (!blocks.isOpen() || !blocks.add(source, at, length)) ? failed(NOT_HTTP) : headersEnd(flags);
            case Frame.RST_STREAM -> failed("it reset the stream");
            case Frame.GOAWAY -> failed("it ended the connection (GOAWAY)");
            default -> true;
        };
    }

    private boolean settings(int flags) {
        if ((flags & Frame.ACK) == 0) {
            ByteBuf ack = frame(channel.alloc().buffer(), 0, Frame.SETTINGS, Frame.ACK, 0);
            channel.writeAndFlush(ack, channel.voidPromise());
        }
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
        status = 0;
        if (!blocks.decode(this::field) || status == 0) {
            return failed(NOT_HTTP);
        }
        if (status < FIRST_FINAL_STATUS) {
            return true; // an informational response comes before the one that counts
        }
        HttpCheck.judge(check, status, Integer.toString(status), verdict);
        channel.close();
        return false;
    }

    private void field(byte[] names, int nameFrom, int nameLength, byte[] values, int valueFrom, int valueLength) {
        if (Octets.equalsIgnoreCase(names, nameFrom, nameFrom + nameLength, STATUS)) {
            String text = new String(values, valueFrom, valueLength, StandardCharsets.US_ASCII);
            status = text.matches("[1-9][0-9]{2}") ? Integer.parseInt(text) : 0;
        }
    }

    @Override
    public void tooLarge(int type, int stream) {
        failed(NOT_HTTP);
    }

    private boolean failed(String reason) {
        verdict.failed(reason);
        channel.close();
        return false;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        reader.release();
        verdict.failed("connection closed without a response");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        verdict.failed(ConnectCause.text(cause));
        ctx.close();
    }
}
