package io.ballast.dns.forward.upstream;

import io.ballast.net.tls.TlsCloseHandler;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.SocketAddress;

/**
 * An HTTP/2 connection over TLS, with a stream for each question. The streams are managed by
 * {@link DohStreams}, which is added to the pipeline after ALPN has selected HTTP/2. Servers that do not
 * support HTTP/2 are not used.
 *
 * <p>Event-loop confined.
 */
final class DohConnection extends UpstreamConnection {

    private final DohStreams streams;
    private boolean settingsReceived;

    private DohConnection(UpstreamLoop loop, UpstreamServer server, String authority) {
        super(loop, server, UpstreamProtocol.DOH);
        this.streams = new DohCodec(this, authority).build();
    }

    /** @param authority the value of {@code :authority} in requests */
    static DohConnection open(
            UpstreamLoop loop, UpstreamServer server, SocketAddress address, SslHandler tls, String authority) {
        DohConnection connection = new DohConnection(loop, server, authority);
        connection.open(address, connection.initializer(tls));
        return connection;
    }

    private ChannelInitializer<Channel> initializer(SslHandler tls) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                loop.transport().prepare(channel.pipeline());
                channel.pipeline().addLast(activityHandler(), tls, new TlsCloseHandler(), DohConnection.this);
            }
        };
    }

    /** Returns the lower of the configured limit and the stream limit of the server. */
    @Override
    int capacity() {
        return Math.min(super.capacity(), streams.maxStreams());
    }

    @Override
    DohQuery encode(Channel channel, Attempt attempt) {
        byte[] query = attempt.bytes();
        int id = attempt.id();
        // The stream identifies the question, so the id can be 0 (RFC 8484 section 4.1).
        ByteBuf message =
                channel.alloc().directBuffer(query.length).writeBytes(query).setShort(0, 0);
        return new DohQuery(attempt, id, message);
    }

    /** Does nothing, because TLS must be negotiated first. */
    @Override
    void onConnected() {}

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (!(event instanceof SslHandshakeCompletionEvent handshake)) {
            return;
        }
        loop.frontendLoop().readClock();
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        if (handshake.isSuccess() && ApplicationProtocolNames.HTTP_2.equals(tls.applicationProtocol())) {
            ctx.pipeline().addBefore(ctx.name(), /* name= */ null, streams);
            scheduleFlush(); // sends the client's HTTP/2 preface
        } else {
            end(AttemptFailure.TLS);
        }
    }

    /**
     * Called when the server's preface has arrived and its stream limit is known. Some servers close a connection
     * that exceeds their limit.
     */
    void settingsReceived() {
        if (!settingsReceived) {
            settingsReceived = true;
            ready();
        }
    }

    /**
     * Receives a complete response.
     *
     * @param id the id of the attempt on this connection
     * @param message the message with the id 0; borrowed, and modified
     */
    void onResponse(Attempt attempt, int id, ByteBuf message) {
        if (message.readableBytes() < Short.BYTES || message.getShort(message.readerIndex()) != 0) {
            onMismatch(attempt);
            return;
        }
        message.setShort(message.readerIndex(), id);
        receive(message);
    }

    /** Sends a PING frame (RFC 9113 section 6.7). The acknowledgement shows that the server is reachable. */
    @Override
    void probe() {
        if (settingsReceived) {
            streams.ping();
            scheduleFlush();
        }
    }

    @Override
    void onReleased(int id) {
        if (streams.cancel(id)) {
            scheduleFlush();
        }
    }

    @Override
    void onClosed() {
        super.onClosed();
        streams.cancelAll();
    }
}
