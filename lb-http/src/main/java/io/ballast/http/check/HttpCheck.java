package io.ballast.http.check;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthCheck.StatusRange;
import io.ballast.http.head.StatusLine;
import io.ballast.http.net.ConnectCause;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** One HTTP/1.1 request and a look at the status of its response; the rest of the response is not waited for. */
final class HttpCheck extends ChannelInboundHandlerAdapter {

    /** No status line is longer; a backend that sends more without one does not speak HTTP. */
    private static final int LONGEST_STATUS_LINE = 1024;

    private final HealthCheck.Http check;
    private final Verdict verdict;
    private final StringBuilder received = new StringBuilder();

    private HttpCheck(HealthCheck.Http check, Verdict verdict) {
        this.check = check;
        this.verdict = verdict;
    }

    static void run(Channel channel, HealthCheck.Http check, String hostHeader, Verdict verdict) {
        channel.pipeline().addLast(new HttpCheck(check, verdict));
        String request = check.method() + " " + check.path() + " HTTP/1.1\r\nHost: "
                + check.host().orElse(hostHeader)
                + "\r\nUser-Agent: ballast-health-check\r\nAccept: */*\r\nConnection: close\r\n\r\n";
        ByteBuf head = channel.alloc().buffer(request.length());
        head.writeCharSequence(request, StandardCharsets.US_ASCII);
        channel.writeAndFlush(head).addListener(sent -> {
            if (!sent.isSuccess()) {
                verdict.failed(ConnectCause.text(sent.cause()));
            }
        });
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf data = (ByteBuf) message;
        received.append(data.toString(StandardCharsets.ISO_8859_1));
        data.release();
        int lineEnd = received.indexOf("\r\n");
        if (lineEnd >= 0) {
            judge(received.substring(0, lineEnd));
            ctx.close();
        } else if (received.length() > LONGEST_STATUS_LINE) {
            verdict.failed("not an HTTP response");
            ctx.close();
        }
    }

    private void judge(String line) {
        int status = StatusLine.status(line);
        if (status < 0) {
            verdict.failed("not an HTTP response");
            return;
        }
        judge(check, status, line.substring(line.indexOf(' ') + 1), verdict);
    }

    /** @param said what the backend answered, for people: the status, perhaps with a phrase */
    static void judge(HealthCheck.Http check, int status, String said, Verdict verdict) {
        for (StatusRange range : check.expected()) {
            if (status >= range.low() && status <= range.high()) {
                verdict.passed(said);
                return;
            }
        }
        String expected = check.expected().stream().map(StatusRange::toString).collect(Collectors.joining(", "));
        verdict.failed("status " + said + " (expected: " + expected + ")");
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        verdict.failed("connection closed without a response");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        verdict.failed(ConnectCause.text(cause));
        ctx.close();
    }
}
