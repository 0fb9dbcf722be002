package io.ballast.net.listen;

import io.ballast.net.transport.NettyTransport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.ServerChannelRecvByteBufAllocator;

/**
 * Sets how many connections a listening socket accepts in one turn of its event loop: until none waits, at most
 * {@value #MOST}. More would delay connections that are there; fewer make clients wait in the system's queue, behind all
 * that came before them, for one turn each.
 *
 * <p>Netty (4.2.18) accepts one connection in a turn on epoll: its listening channel reports the descriptor of the accepted
 * connection as the number of bytes read, which never equals the number attempted, so the channel counts as drained. On
 * io_uring the system accepts connections by itself.
 *
 * <p>Immutable. Cost: on epoll and NIO one system call for each turn in which something is accepted, which finds the queue
 * empty.
 */
final class AcceptBatch {

    /** With 3,000 clients and a quarter of one CPU, 256 let a normal client wait as long (decision 70). */
    static final int MOST = 64;

    private AcceptBatch() {}

    /** Sets it among the options of a listening socket. */
    static void configure(ServerBootstrap options, NettyTransport transport) {
        switch (transport.kind()) {
            case EPOLL, NIO ->
                options.option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new ServerChannelRecvByteBufAllocator()
                                .respectMaybeMoreData(false)
                                .maxMessagesPerRead(MOST));
            case IO_URING, AUTO -> {}
        }
    }
}
