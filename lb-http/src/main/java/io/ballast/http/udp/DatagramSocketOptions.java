package io.ballast.http.udp;

import io.ballast.http.net.Worker;
import io.ballast.net.config.TransportKind;
import io.ballast.net.transport.NettyTransport;
import io.netty.bootstrap.AbstractBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;

/** Socket options for datagram sockets. */
public final class DatagramSocketOptions {

    /** The longest possible datagram, so that none is truncated. */
    private static final int MAX_BYTES = 64 * 1024;
    /**
     * The maximum number of datagrams in one {@code recvmmsg}. Every batch has room for datagrams of maximum
     * length.
     */
    private static final int BATCH = 8;
    /**
     * The requested size of the receive buffer, large enough for a busy event loop; the kernel may grant less.
     */
    private static final int RECEIVE_BUFFER_BYTES = 1024 * 1024;
    /** The limits of pending output. Above the upper limit, datagrams are dropped. */
    private static final WriteBufferWaterMark PENDING = new WriteBufferWaterMark(128 * 1024, 256 * 1024);

    private DatagramSocketOptions() {}

    /** Configures a socket for many clients. */
    public static <B extends AbstractBootstrap<B, ?>> B forClients(B bootstrap, NettyTransport transport) {
        bootstrap
                .option(ChannelOption.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, PENDING);
        if (transport.kind() == TransportKind.EPOLL) {
            return bootstrap
                    .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(BATCH * MAX_BYTES))
                    .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, MAX_BYTES);
        }
        return bootstrap.option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(MAX_BYTES));
    }

    /** Configures a socket for one backend. */
    static <B extends AbstractBootstrap<B, ?>> B forBackend(B bootstrap, Worker worker) {
        return bootstrap
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, PENDING)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new DatagramRecvByteBufAllocator(MAX_BYTES, worker.transit()));
    }

    /**
     * Whether a session may open its socket now. On io_uring, a read allocates a buffer for the longest datagram
     * before data arrives, so available memory limits the number of sockets.
     */
    static boolean mayOpenSocket(Worker worker) {
        return worker.transport().kind() != TransportKind.IO_URING
                || !worker.transit().isMemoryShort();
    }
}
