package io.ballast.dns.check;

import io.ballast.core.health.FirstResult;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.net.ConnectException;
import java.net.PortUnreachableException;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One query and its response, over UDP and then, if needed, over TCP. Confined to the event loop. */
final class DnsCheckExchange {

    private static final int LENGTH_BYTES = 2;
    private static final int MAX_MESSAGE = 65_535;

    private final DnsCheckEvaluator evaluator;
    private final FirstResult verdict;
    private final Consumer<DnsCheckExchange> tcpConnector;
    private @Nullable Channel channel;
    private boolean ended;

    /** @param tcpConnector callback that opens a TCP connection whose handler is {@link #tcpHandler} */
    DnsCheckExchange(DnsCheckEvaluator evaluator, FirstResult verdict, Consumer<DnsCheckExchange> tcpConnector) {
        this.evaluator = evaluator;
        this.verdict = verdict;
        this.tcpConnector = tcpConnector;
    }

    FirstResult verdict() {
        return verdict;
    }

    /** Continues on another channel; closes the previous one. */
    void switchTo(Channel next) {
        Channel previous = channel;
        channel = next;
        if (previous != null) {
            previous.close();
        }
        if (ended) {
            next.close();
        }
    }

    /** Ends the check, regardless of its verdict. */
    void end() {
        ended = true;
        if (channel != null) {
            channel.close();
        }
    }

    void fail(Throwable cause) {
        verdict.failed(describe(cause));
        end();
    }

    private static String describe(Throwable cause) {
        String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        if (cause instanceof PortUnreachableException) {
            return "port unreachable";
        }
        if (cause instanceof ConnectException || message.contains("refused")) {
            return "connection refused";
        }
        return message.contains("unreachable")
                ? "network unreachable"
                : cause.getClass().getSimpleName();
    }

    private void onMessage(byte[] bytes, boolean isUdp) {
        if (ended) {
            return;
        }
        switch (evaluator.evaluate(bytes, isUdp, verdict)) {
            case COMPLETED -> end();
            case TRUNCATED -> tcpConnector.accept(this);
            case UNRELATED -> {
                if (!isUdp) {
                    verdict.failed("not a response to the query");
                    end();
                }
            }
        }
    }

    /** Sends the query on a connected channel. */
    void sendQuery(Channel opened) {
        byte[] query = evaluator.query();
        ByteBuf message = opened.alloc().buffer(LENGTH_BYTES + query.length);
        if (!(opened instanceof DatagramChannel)) {
            message.writeShort(query.length);
        }
        message.writeBytes(query);
        opened.writeAndFlush(message).addListener(sent -> {
            if (!sent.isSuccess()) {
                fail(sent.cause());
            }
        });
    }

    ChannelHandler udpHandler() {
        return new SimpleChannelInboundHandler<DatagramPacket>() {
            @Override
            protected void channelRead0(ChannelHandlerContext ctx, DatagramPacket packet) {
                onMessage(bytes(packet.content()), /* isUdp= */ true);
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                fail(cause);
            }
        };
    }

    ChannelHandler tcpHandler() {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel opened) {
                opened.pipeline()
                        .addLast(new LengthFieldBasedFrameDecoder(
                                MAX_MESSAGE + LENGTH_BYTES, 0, LENGTH_BYTES, 0, LENGTH_BYTES))
                        .addLast(new Stream());
            }
        };
    }

    private final class Stream extends SimpleChannelInboundHandler<ByteBuf> {

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, ByteBuf message) {
            onMessage(bytes(message), /* isUdp= */ false);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            if (!ended) {
                verdict.failed("connection closed without a response");
                end();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            fail(cause);
        }
    }

    private static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }
}
