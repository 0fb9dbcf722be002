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
 * A connected UDP socket to one server, so that the system drops datagrams from other addresses and reports a closed
 * port. The system selects a random local port. Event-loop confined.
 */
final class UpstreamUdpSocket extends UpstreamChannel {

    /** Larger than the allowed response size; a datagram that fills it may be truncated. */
    private static final int DATAGRAM_BYTES = 4096;

    private final long openedNanos;
    private int sent;

    private UpstreamUdpSocket(UpstreamLoop loop, UpstreamServer server) {
        super(loop, server);
        this.openedNanos = loop.clock().now();
    }

    static UpstreamUdpSocket open(UpstreamLoop loop, UpstreamServer server, SocketAddress address) {
        UpstreamUdpSocket socket = new UpstreamUdpSocket(loop, server);
        loop.count(UpstreamCounter.SOCKETS_OPENED);
        socket.connecting(new Bootstrap()
                .group(loop.clock().eventLoop())
                .channel(loop.transport().datagramChannel())
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(DATAGRAM_BYTES))
                .handler(socket)
                .connect(address));
        return socket;
    }

    /** Whether the socket must be replaced because it has used its port for long enough. */
    boolean isWorn() {
        UpstreamSettings.Udp settings = loop.settings().udp();
        return sent >= settings.queriesPerSocket() || isOld();
    }

    boolean isOld() {
        return loop.clock().now() - openedNanos
                >= loop.settings().udp().socketLife().toNanos();
    }

    @Override
    int capacity() {
        return loop.settings().udp().outstandingPerSocket();
    }

    @Override
    UpstreamCounter queries() {
        return UpstreamCounter.QUERIES_UDP;
    }

    @Override
    ByteBuf encode(Channel to, Attempt attempt) {
        byte[] query = attempt.bytes();
        attempt.sentByUdp();
        sent++;
        return to.alloc().directBuffer(query.length).writeBytes(query);
    }

    @Override
    void answered(Attempt attempt, byte[] message, int length) {
        if (length < DATAGRAM_BYTES && !QueryMessage.isTruncated(message)) {
            attempt.answer(message, length);
            return;
        }
        loop.count(UpstreamCounter.TRUNCATED);
        attempt.leave();
        server().send(attempt, UpstreamProtocol.TCP);
    }

    @Override
    void respondedInOtherCase(Attempt attempt, byte[] message, int length) {
        askInLowerCase(attempt);
    }

    /** From another port as a rule. */
    @Override
    void resend(Attempt attempt) {
        server().send(attempt, attempt.isLastForm() ? UpstreamProtocol.TCP : UpstreamProtocol.UDP);
    }

    /** The message may be forged; the genuine answer may still arrive. */
    @Override
    void mismatched(Attempt attempt) {}

    /** Consumes the message. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try {
            receive(message instanceof DatagramPacket datagram ? datagram.content() : (ByteBuf) message);
        } finally {
            ReferenceCountUtil.release(message);
        }
    }
}
