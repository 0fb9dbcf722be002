package io.ballast.net.listen;

import io.ballast.net.transport.NettyTransport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.ServerChannelRecvByteBufAllocator;

/**
 * Sets how many connections a listening socket accepts in one turn of its event loop: all that are waiting,
 * at most {@value #MAX}. A higher limit would delay existing connections. With a lower limit, a new client
 * would wait in the accept queue for one turn per connection ahead of it.
 *
 * <p>Netty (4.2.18) accepts one connection per turn on epoll: its listening channel reports the descriptor
 * of the accepted connection as the number of bytes read. That never equals the number attempted, so the
 * channel counts as drained. On io_uring the kernel accepts connections on its own.
 *
 * <p>Immutable. Cost: on epoll and NIO one more system call in each turn that accepts, which finds the queue
 * empty.
 */
final class AcceptBatch {

    /**
     * The maximum batch size. With 3,000 clients on a quarter of a CPU, a batch of 256 was no faster for a normal
     * client (decision 70).
     */
    static final int MAX = 64;

    private AcceptBatch() {}

    /** Sets the batch size in the options of a listening socket. */
    static void configure(ServerBootstrap options, NettyTransport transport) {
        switch (transport.kind()) {
            case EPOLL, NIO ->
                options.option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new ServerChannelRecvByteBufAllocator()
                                .respectMaybeMoreData(false)
                                .maxMessagesPerRead(MAX));
            case IO_URING, AUTO -> {}
        }
    }
}
