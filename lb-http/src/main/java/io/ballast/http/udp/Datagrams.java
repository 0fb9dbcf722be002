package io.ballast.http.udp;

import io.ballast.http.net.Worker;
import io.ballast.net.config.TransportKind;
import io.ballast.net.transport.NettyTransport;
import io.netty.bootstrap.AbstractBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;

/** How sockets of datagrams are set up. */
public final class Datagrams {

    /** Room for the longest datagram there is: none is cut off. */
    private static final int MOST_BYTES = 64 * 1024;
    /** Most in one {@code recvmmsg}. Every batch has room for the longest, whether or not it comes. */
    private static final int BATCH = 8;
    /** What the kernel may hold for a loop that is busy; it may grant less. */
    private static final int RECEIVE_BUFFER_BYTES = 1024 * 1024;
    /** Beyond the upper mark datagrams are dropped. */
    private static final WriteBufferWaterMark PENDING = new WriteBufferWaterMark(128 * 1024, 256 * 1024);

    private Datagrams() {}

    /** For a socket that many clients send to. */
    public static <B extends AbstractBootstrap<B, ?>> B forClients(B bootstrap, NettyTransport transport) {
        bootstrap
                .option(ChannelOption.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, PENDING);
        if (transport.kind() == TransportKind.EPOLL) {
            return bootstrap
                    .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(BATCH * MOST_BYTES))
                    .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, MOST_BYTES);
        }
        return bootstrap.option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(MOST_BYTES));
    }

    /** For a socket that one backend answers to. */
    static <B extends AbstractBootstrap<B, ?>> B forBackend(B bootstrap, Worker worker) {
        return bootstrap
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, PENDING)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new DatagramReads(MOST_BYTES, worker.transit()));
    }

    /**
     * Whether a session can have its socket now. On io_uring a read takes its buffer, of the longest datagram, before anything
     * has come, so that there memory bounds how many there may be.
     */
    static boolean mayOpenSocket(Worker worker) {
        return worker.transport().kind() != TransportKind.IO_URING
                || !worker.transit().isShort();
    }
}
