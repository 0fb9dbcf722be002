package io.ballast.http.check;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.FirstResult;
import io.ballast.http.net.ConnectErrors;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;

/** Sends a text on a connection, and waits until the received data contains the expected text. */
final class TcpCheck extends ChannelInboundHandlerAdapter {

    /** Maximum number of bytes received without the expected text before the check fails. */
    private static final int MAX_RECEIVED = 16 * 1024;

    private final String expected;
    private final FirstResult verdict;
    private final SearchableBuffer received = new SearchableBuffer();
    private boolean done;

    private TcpCheck(String expected, FirstResult verdict) {
        this.expected = expected;
        this.verdict = verdict;
    }

    static void run(Channel channel, HealthCheck.Tcp check, FirstResult verdict) {
        if (check.expected().isPresent()) {
            channel.pipeline().addLast(new TcpCheck(check.expected().get(), verdict));
        }
        if (check.send().isEmpty()) {
            if (check.expected().isEmpty()) {
                verdict.passed("connected");
                channel.close();
            }
            return;
        }
        ByteBuf text = channel.alloc().buffer();
        text.writeCharSequence(check.send().get(), StandardCharsets.ISO_8859_1);
        channel.writeAndFlush(text).addListener(sent -> {
            if (!sent.isSuccess()) {
                verdict.failed(ConnectErrors.text(sent.cause()));
            } else if (check.expected().isEmpty()) {
                verdict.passed("connected, data sent");
                channel.close();
            }
        });
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf data = (ByteBuf) message;
        if (!done) {
            received.append(data);
            if (received.find(expected) >= 0) {
                done = true;
                verdict.passed("connected, expected answer received");
                ctx.close();
            } else if (received.length() > MAX_RECEIVED) {
                fail(ctx, "the first " + MAX_RECEIVED / 1024 + " KiB do not contain the expected text");
            }
        }
        data.release();
    }

    private void fail(ChannelHandlerContext ctx, String reason) {
        done = true;
        verdict.failed(reason);
        ctx.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (!done) {
            fail(
                    ctx,
                    received.length() == 0
                            ? "connection closed without an answer"
                            : "connection closed before the expected text was received");
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!done) {
            fail(ctx, ConnectErrors.text(cause));
        }
    }
}
