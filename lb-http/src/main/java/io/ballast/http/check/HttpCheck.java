package io.ballast.http.check;

import io.ballast.core.config.HealthCheck;
import io.ballast.http.head.StatusLine;
import io.ballast.http.net.ConnectCause;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 request and a look at its response: at the status alone, or at the beginning of the body too. What is not
 * looked at is not waited for.
 */
final class HttpCheck extends ChannelInboundHandlerAdapter {

    private static final String NOT_HTTP = "not an HTTP response";

    /** No status line is longer; a backend that sends more without one does not speak HTTP. */
    private static final int LONGEST_STATUS_LINE = 1024;

    private static final int LONGEST_HEAD = 64 * 1024;
    private static final int SWITCHING = 101;
    private static final int FIRST_FINAL_STATUS = 200;
    private static final String LINE_END = "\r\n";
    private static final String HEAD_END = "\r\n\r\n";

    private final HttpJudge judge;
    private final StringBuilder head = new StringBuilder();
    private boolean bodyDecides;
    private int status;
    private @Nullable Http1Body body;
    private boolean done;

    private HttpCheck(HttpJudge judge) {
        this.judge = judge;
    }

    static void run(Channel channel, String hostHeader, HttpJudge judge) {
        channel.pipeline().addLast(new HttpCheck(judge));
        ByteBuf request = channel.alloc().buffer();
        request.writeCharSequence(request(judge.check(), hostHeader), StandardCharsets.US_ASCII);
        channel.writeAndFlush(request).addListener(sent -> {
            if (!sent.isSuccess()) {
                judge.failed(ConnectCause.text(sent.cause()));
            }
        });
    }

    private static String request(HealthCheck.Http check, String hostHeader) {
        StringBuilder text = new StringBuilder();
        text.append(check.method()).append(' ').append(check.path()).append(" HTTP/1.1\r\n");
        line(text, "Host", check.host().orElse(hostHeader));
        CheckHeaders.of(check).forEach(header -> line(text, header.name(), header.value()));
        line(text, "Connection", "close");
        return text.append(LINE_END).toString();
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(name).append(": ").append(value).append(LINE_END);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf data = (ByteBuf) message;
        try {
            if (!done && body == null) {
                head.append(data.readCharSequence(data.readableBytes(), StandardCharsets.ISO_8859_1));
                readHead(ctx);
            }
            while (!done && body != null && data.isReadable()) {
                progress(ctx, body.take(data.readByte()));
            }
        } finally {
            data.release();
        }
    }

    private void readHead(ChannelHandlerContext ctx) {
        while (!done && !bodyDecides) {
            int lineEnd = head.indexOf(LINE_END);
            if (lineEnd < 0 && head.length() <= LONGEST_STATUS_LINE) {
                return;
            }
            String line = lineEnd < 0 ? "" : head.substring(0, lineEnd);
            status = StatusLine.status(line);
            if (status < 0) {
                fail(ctx, NOT_HTTP);
            } else if (status >= FIRST_FINAL_STATUS || status == SWITCHING) {
                bodyDecides = judge.status(status, line.substring(line.indexOf(" ") + 1));
                if (!bodyDecides) {
                    finish(ctx);
                }
            } else if (!skipInformational(ctx)) {
                return;
            }
        }
        if (!done) {
            readHeadEnd(ctx);
        }
    }

    /** An informational response comes before the one that counts; false if its end has not come. */
    private boolean skipInformational(ChannelHandlerContext ctx) {
        int end = head.indexOf(HEAD_END);
        if (end >= 0) {
            head.delete(0, end + HEAD_END.length());
        } else if (head.length() > LONGEST_HEAD) {
            fail(ctx, NOT_HTTP);
        }
        return end >= 0;
    }

    private void readHeadEnd(ChannelHandlerContext ctx) {
        int end = head.indexOf(HEAD_END);
        if (end < 0) {
            if (head.length() > LONGEST_HEAD) {
                fail(ctx, NOT_HTTP);
            }
            return;
        }
        Http1Body begun = Http1Body.behind(head.substring(0, end), status, judge);
        if (begun == null) {
            fail(ctx, NOT_HTTP);
            return;
        }
        body = begun;
        if (begun.isEmpty()) {
            progress(ctx, Http1Body.Progress.WHOLE);
        }
        for (int i = end + HEAD_END.length(); i < head.length() && !done; i++) {
            progress(ctx, begun.take((byte) head.charAt(i)));
        }
        head.setLength(0);
    }

    private void progress(ChannelHandlerContext ctx, Http1Body.Progress progress) {
        switch (progress) {
            case MORE -> {}
            case WHOLE -> {
                judge.end();
                finish(ctx);
            }
            case MALFORMED -> fail(ctx, "a body that is not framed as HTTP says");
        }
    }

    private void fail(ChannelHandlerContext ctx, String reason) {
        judge.failed(reason);
        finish(ctx);
    }

    private void finish(ChannelHandlerContext ctx) {
        done = true;
        ctx.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (done) {
            return;
        }
        done = true;
        if (body != null && body.endsWithConnection()) {
            judge.end();
        } else {
            judge.failed("connection closed " + (bodyDecides ? "within the response" : "without a response"));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!done) {
            fail(ctx, ConnectCause.text(cause));
        }
    }
}
