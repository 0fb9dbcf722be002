package io.ballast.http.check;

import io.ballast.core.config.HealthCheck;
import io.ballast.http.head.StatusLine;
import io.ballast.http.net.ConnectErrors;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Sends one HTTP/1.1 request and evaluates the response: only the status, or also the beginning of the body.
 * The check gives its verdict without waiting for the end of the response. It still reads the remaining
 * response, so that the connection is closed without a reset.
 */
final class HttpCheck extends ChannelInboundHandlerAdapter {

    private static final String NOT_HTTP = "not an HTTP response";

    /** Maximum length of a status line; a backend that sends a longer one does not speak HTTP. */
    private static final int LONGEST_STATUS_LINE = 1024;

    private static final int LONGEST_HEAD = 64 * 1024;
    private static final int NO_STATUS = 0;
    private static final int SWITCHING = 101;
    private static final int FIRST_FINAL_STATUS = 200;
    private static final String LINE_END = "\r\n";
    private static final String HEAD_END = "\r\n\r\n";

    private final CheckResponseEvaluator evaluator;
    private final SearchableBuffer received = new SearchableBuffer();
    private final InformationalResponseCounter informational = new InformationalResponseCounter();
    private boolean bodyDecides;
    /** The status of the current head; {@link #NO_STATUS} until its first line is complete. */
    private int status = NO_STATUS;

    private @Nullable Http1Body body;
    private boolean done;
    private @Nullable CheckConnectionClose end;

    private HttpCheck(CheckResponseEvaluator evaluator) {
        this.evaluator = evaluator;
    }

    static void run(Channel channel, String hostHeader, CheckResponseEvaluator evaluator) {
        channel.pipeline().addLast(new HttpCheck(evaluator));
        ByteBuf request = channel.alloc().buffer();
        request.writeCharSequence(request(evaluator.check(), hostHeader), StandardCharsets.US_ASCII);
        channel.writeAndFlush(request).addListener(sent -> {
            if (!sent.isSuccess()) {
                evaluator.failed(ConnectErrors.text(sent.cause()));
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
                received.append(data);
                readHeads(ctx);
            }
            while (!done && body != null && data.isReadable()) {
                progress(ctx, body.consume(data.readByte()));
            }
            if (end != null) {
                end.dropped(data.readableBytes());
            }
        } finally {
            data.release();
        }
    }

    /** Reads heads, skipping informational responses. */
    private void readHeads(ChannelHandlerContext ctx) {
        while (!done && body == null && readStatus(ctx) && readHeadEnd(ctx)) {}
    }

    /** Reads the status line; returns whether the rest of the head must be read. */
    private boolean readStatus(ChannelHandlerContext ctx) {
        if (status != NO_STATUS) {
            return true;
        }
        int lineEnd = received.find(LINE_END);
        if (lineEnd < 0 && received.length() <= LONGEST_STATUS_LINE) {
            return false;
        }
        String line = lineEnd < 0 || lineEnd > LONGEST_STATUS_LINE ? "" : received.first(lineEnd);
        status = StatusLine.status(line);
        if (status < 0) {
            fail(ctx, NOT_HTTP);
        } else if (!isInformational()) {
            bodyDecides = evaluator.status(status, line.substring(line.indexOf(" ") + 1));
            if (!bodyDecides) {
                finish(ctx);
            }
        } else if (!informational.tryIncrement()) {
            fail(ctx, InformationalResponseCounter.TOO_MANY);
        }
        return !done;
    }

    private boolean isInformational() {
        return status < FIRST_FINAL_STATUS && status != SWITCHING;
    }

    /** Consumes the head if it is complete; returns whether it is. */
    private boolean readHeadEnd(ChannelHandlerContext ctx) {
        int end = received.find(HEAD_END);
        if (end < 0) {
            if (received.length() > LONGEST_HEAD) {
                fail(ctx, NOT_HTTP);
            }
            return false;
        }
        String head = received.first(end);
        received.drop(end + HEAD_END.length());
        if (isInformational()) {
            status = NO_STATUS;
        } else {
            startBody(ctx, head);
        }
        return true;
    }

    private void startBody(ChannelHandlerContext ctx, String head) {
        Http1Body started = Http1Body.afterHead(head, status, evaluator);
        if (started == null) {
            fail(ctx, NOT_HTTP);
            return;
        }
        body = started;
        if (started.isEmpty()) {
            progress(ctx, Http1Body.Progress.WHOLE);
        }
        for (int i = 0; i < received.length() && !done; i++) {
            progress(ctx, started.consume((byte) received.charAt(i)));
        }
    }

    private void progress(ChannelHandlerContext ctx, Http1Body.Progress progress) {
        switch (progress) {
            case MORE -> {}
            case WHOLE -> {
                evaluator.evaluateBody();
                finish(ctx);
            }
            case MALFORMED -> fail(ctx, "the response body has invalid framing");
        }
    }

    private void fail(ChannelHandlerContext ctx, String reason) {
        evaluator.failed(reason);
        finish(ctx);
    }

    private void finish(ChannelHandlerContext ctx) {
        done = true;
        end = CheckConnectionClose.awaitClose(ctx.channel());
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (done) {
            return;
        }
        done = true;
        if (body != null && body.endsWithConnection()) {
            evaluator.evaluateBody();
        } else {
            evaluator.failed("connection closed " + (bodyDecides ? "during the response" : "without a response"));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!done) {
            fail(ctx, ConnectErrors.text(cause));
        }
    }
}
