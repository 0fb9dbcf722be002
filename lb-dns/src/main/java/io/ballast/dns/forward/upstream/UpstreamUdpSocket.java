package io.ballast.dns.forward.upstream;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.socket.DatagramPacket;
import io.netty.util.ReferenceCountUtil;
import java.net.SocketAddress;

/**
 * A UDP socket that is connected to one server, so that the system drops datagrams from other addresses and
 * reports a closed port. The system selects a random local port. Event-loop confined.
 */
final class UpstreamUdpSocket extends UpstreamChannel {

    /**
     * The receive buffer size. It is greater than the response size that queries allow. A datagram that fills the
     * buffer may be truncated.
     */
    private static final int DATAGRAM_BYTES = 4096;

    private final long openedNanos;
    private int sentQueries;

    private UpstreamUdpSocket(UpstreamLoop loop, UpstreamServer server) {
        super(loop, server);
        this.openedNanos = loop.frontendLoop().now();
    }

    static UpstreamUdpSocket open(UpstreamLoop loop, UpstreamServer server, SocketAddress address) {
        UpstreamUdpSocket socket = new UpstreamUdpSocket(loop, server);
        loop.count(UpstreamCounter.SOCKETS_OPENED);
        socket.awaitConnect(new Bootstrap()
                .group(loop.frontendLoop().eventLoop())
                .channelFactory(loop.udpSockets())
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(DATAGRAM_BYTES))
                .handler(socket)
                .connect(address));
        return socket;
    }

    /** Whether to replace the socket, because it has sent its maximum number of queries or is too old. */
    boolean needsReplacement() {
        UpstreamSettings.Udp settings = loop.settings().udp();
        return sentQueries >= settings.queriesPerSocket() || isTooOld();
    }

    boolean isTooOld() {
        return loop.frontendLoop().now() - openedNanos
                >= loop.settings().udp().socketLifetime().toNanos();
    }

    @Override
    int capacity() {
        return loop.settings().udp().outstandingPerSocket();
    }

    @Override
    UpstreamCounter queryCounter() {
        return UpstreamCounter.QUERIES_UDP;
    }

    @Override
    ByteBuf encode(Channel channel, Attempt attempt) {
        byte[] query = attempt.bytes();
        attempt.onSentByUdp();
        sentQueries++;
        return channel.alloc().directBuffer(query.length).writeBytes(query);
    }

    @Override
    void onAnswer(Attempt attempt, byte[] message, int length) {
        if (length < DATAGRAM_BYTES && !QueryMessage.isTruncated(message)) {
            attempt.complete(message, length);
            return;
        }
        loop.count(UpstreamCounter.TRUNCATED);
        attempt.leaveChannel();
        server().send(attempt, UpstreamProtocol.TCP);
    }

    @Override
    void onOtherCaseResponse(Attempt attempt, byte[] message, int length) {
        retryInLowerCase(attempt);
    }

    /** Resends the query, usually from another port. */
    @Override
    void resend(Attempt attempt) {
        server().send(attempt, attempt.isLastRewrite() ? UpstreamProtocol.TCP : UpstreamProtocol.UDP);
    }

    /** Ignores the message, because it may be forged; the genuine answer may still arrive. */
    @Override
    void onMismatch(Attempt attempt) {}

    /** Processes a received message and releases it. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try {
            receive(message instanceof DatagramPacket datagram ? datagram.content() : (ByteBuf) message);
        } finally {
            ReferenceCountUtil.release(message);
        }
    }
}
