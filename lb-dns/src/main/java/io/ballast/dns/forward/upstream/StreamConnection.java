package io.ballast.dns.forward.upstream;

import io.ballast.dns.wire.Wire;
import io.ballast.net.timer.DeadlineWheel;
import io.ballast.net.tls.TlsEnd;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one server, on which messages go behind their lengths, and answers come in whatever order. Event-loop confined.
 */
final class StreamConnection extends Lane {

    private static final int LENGTH_BYTES = 2;

    private final boolean secured;
    private final Idle idle = new Idle();
    private boolean hasAnswered;
    private long receivedNanos;

    private StreamConnection(UpstreamLoop loop, UpstreamServer server, boolean secured) {
        super(loop, server);
        this.secured = secured;
        this.receivedNanos = loop.clock().now();
    }

    /** @param tls what secures it; null for nothing */
    static StreamConnection open(
            UpstreamLoop loop, UpstreamServer server, SocketAddress address, @Nullable SslHandler tls) {
        StreamConnection connection = new StreamConnection(loop, server, tls != null);
        loop.count(UpstreamCounter.CONNECTIONS_OPENED);
        connection.connecting(loop.transport()
                .connecting(new Bootstrap(), address)
                .group(loop.clock().eventLoop())
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0) // the attempts' deadlines cover it
                .handler(connection.initializer(tls))
                .connect());
        return connection;
    }

    private ChannelInitializer<Channel> initializer(@Nullable SslHandler tls) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                loop.transport().prepare(channel.pipeline());
                if (tls != null) {
                    channel.pipeline().addLast(tls, new TlsEnd());
                }
                channel.pipeline()
                        .addLast(new LengthFieldBasedFrameDecoder(
                                Wire.MAX_MESSAGE_BYTES + LENGTH_BYTES, 0, LENGTH_BYTES, 0, LENGTH_BYTES))
                        .addLast(StreamConnection.this);
            }
        };
    }

    /** Whether it has proved to lead somewhere. */
    @Override
    boolean isReused() {
        return hasAnswered;
    }

    @Override
    int capacity() {
        return loop.settings().streams().outstandingPerConnection();
    }

    @Override
    UpstreamCounter queries() {
        return secured ? UpstreamCounter.QUERIES_DOT : UpstreamCounter.QUERIES_TCP;
    }

    @Override
    ByteBuf encode(Channel to, byte[] query) {
        return to.alloc()
                .directBuffer(LENGTH_BYTES + query.length)
                .writeShort(query.length)
                .writeBytes(query);
    }

    @Override
    void connected() {
        if (!secured) {
            ready();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            loop.clock().readClock();
            if (handshake.isSuccess()) {
                ready();
            } else {
                end(AttemptFailure.TLS);
            }
        }
    }

    /** Consumes the message. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf frame = (ByteBuf) message;
        try {
            receive(frame);
            receivedNanos = loop.clock().now();
        } finally {
            frame.release();
        }
    }

    @Override
    void answered(Attempt attempt, byte[] message, int length) {
        hasAnswered = true;
        attempt.answer(message, length);
    }

    /** Nobody else can have sent it. */
    @Override
    void mismatched(Attempt attempt) {
        attempt.fail(AttemptFailure.MALFORMED);
    }

    /** If nothing has come since, the other end may be gone without a word. */
    @Override
    void timedOut(Attempt attempt) {
        if (receivedNanos - attempt.sentNanos() <= 0) {
            retire();
        }
    }

    /** A server may end a connection at any time, just as a question is on its way. */
    @Override
    void lost(Attempt attempt, AttemptFailure why) {
        if (why == AttemptFailure.RESET && attempt.takeRetry()) {
            loop.count(UpstreamCounter.RETRIED);
            server().sendAnew(attempt, secured);
        } else {
            attempt.fail(why);
        }
    }

    @Override
    void emptied() {
        loop.clock().setDeadline(idle, loop.settings().streams().idle());
    }

    @Override
    void ended() {
        loop.clock().deadlines().remove(idle);
    }

    private final class Idle extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            if (outstanding() == 0) {
                retire();
            }
        }
    }
}
