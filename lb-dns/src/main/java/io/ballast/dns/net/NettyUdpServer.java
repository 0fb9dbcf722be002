package io.ballast.dns.net;

import io.ballast.net.config.TransportKind;
import io.ballast.net.listen.BoundSockets;
import io.ballast.net.loop.FrontendLoops;
import io.ballast.net.takeover.SharedSocket;
import io.ballast.net.transport.NettyTransport;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * A UDP server on Netty. With epoll, each event loop has one socket, and {@code recvmmsg} and
 * {@code sendmmsg} transfer whole batches. On other transports, there is one socket, which transfers one
 * datagram at a time.
 */
public final class NettyUdpServer implements UdpServer {

    /**
     * Buffer size of one datagram. It is larger than any datagram, so that no datagram is truncated; signed
     * updates can be that long. Only the memory pages that datagrams fill are used. The size is an odd multiple
     * of 64: with a power of two, the datagrams of a batch would evict each other from the CPU cache.
     */
    private static final int DATAGRAM_BYTES = 65_600;

    /**
     * The maximum number of datagrams in a batch. With twice as many, each query would cost more CPU, not less,
     * because every batch prepares buffers for the maximum number, even if fewer datagrams arrive.
     */
    private static final int DATAGRAMS_PER_BATCH = 32;

    /** One batch is answered before the next is read, so that responses do not wait for later queries. */
    private static final int BATCHES_PER_READ = 1;

    /** The requested size of the kernel buffer; the kernel may grant less. */
    private static final int RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;

    /**
     * Above the high water mark, responses are dropped. A batch of the largest responses stays below the low
     * water mark.
     */
    private static final WriteBufferWaterMark WRITE_BUFFER_WATER_MARK =
            new WriteBufferWaterMark(256 * 1024, 512 * 1024);

    /**
     * Prevents a forged ICMP message from making the kernel fragment responses (<a
     * href="https://datatracker.ietf.org/doc/html/rfc9715#section-3.1">RFC 9715 section 3.1</a>): the kernel
     * ignores the path MTU. The largest response fits into every path that supports IPv6. The constants are those
     * of Linux.
     */
    private static final int PMTUDISC_OMIT = 5;

    private static final int IPPROTO_IP = 0;
    private static final int IPPROTO_IPV6 = 41;

    private static final ChannelOption<Integer> IP_MTU_DISCOVER =
            new IntegerUnixChannelOption("IP_MTU_DISCOVER", IPPROTO_IP, 10);
    private static final ChannelOption<Integer> IPV6_MTU_DISCOVER =
            new IntegerUnixChannelOption("IPV6_MTU_DISCOVER", IPPROTO_IPV6, 23);

    private final BoundSockets channels = new BoundSockets();
    private boolean draining;

    private final boolean inherits;

    private NettyUdpServer(boolean inherits) {
        this.inherits = inherits;
    }

    /**
     * Starts to serve.
     *
     * @throws IOException if the address cannot be bound
     */
    public static UdpServer bind(InetSocketAddress address, FrontendLoops<AnswerLoop> loops) throws IOException {
        UdpServer server = prepare(address, loops);
        server.start();
        return server;
    }

    /** Like {@link #bind}, but serves only when it is started. */
    public static UdpServer prepare(InetSocketAddress address, FrontendLoops<AnswerLoop> loops) throws IOException {
        boolean inherits = loops.transport().inheritsDatagrams();
        NettyUdpServer server = new NettyUdpServer(inherits);
        try {
            List<Integer> inherited =
                    inherits ? loops.inherited().takeDescriptors(SharedSocket.Kind.UDP, address) : List.of();
            for (int i = 0; i < inherited.size(); i++) {
                int fd = inherited.get(i);
                AnswerLoop loop = loops.all().get(i % loops.all().size());
                Bootstrap adopting = options(loop, loops.transport(), address)
                        .channelFactory(() -> loops.transport().newDatagramChannel(fd));
                server.channels.adopt(adopting, address, "UDP", loop.heartbeat());
            }
            if (!inherited.isEmpty()) {
                return server;
            }
            for (AnswerLoop loop : loops.listeningLoops()) {
                server.channels.bind(bootstrap(loop, loops.transport(), address), address, "UDP", loop.heartbeat());
            }
            return server;
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    private static Bootstrap bootstrap(AnswerLoop loop, NettyTransport transport, InetSocketAddress address) {
        return options(loop, transport, address).channel(transport.datagramChannel());
    }

    private static Bootstrap options(AnswerLoop loop, NettyTransport transport, InetSocketAddress address) {
        Bootstrap bootstrap = new Bootstrap()
                .group(loop.eventLoop())
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WRITE_BUFFER_WATER_MARK)
                .handler(new UdpHandler(loop));
        if (transport.kind() == TransportKind.NIO) {
            return bootstrap.option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(DATAGRAM_BYTES));
        }
        boolean ipv6 = address.getAddress() instanceof Inet6Address;
        return bootstrap
                .option(ipv6 ? IPV6_MTU_DISCOVER : IP_MTU_DISCOVER, PMTUDISC_OMIT)
                .option(EpollChannelOption.SO_REUSEPORT, true)
                .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, DATAGRAM_BYTES)
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new FixedRecvByteBufAllocator(DATAGRAM_BYTES * DATAGRAMS_PER_BATCH)
                                .maxMessagesPerRead(BATCHES_PER_READ));
    }

    @Override
    public void start() {
        channels.read();
    }

    @Override
    public List<SharedSocket> sharedSockets() {
        return inherits ? channels.sharedSockets(SharedSocket.Kind.UDP) : List.of();
    }

    @Override
    public void releaseToSuccessor() {
        draining = true;
        channels.channels().forEach(channel -> handler(channel).closeAfterDeferredReplies(channel));
    }

    @Override
    public void drain() {
        draining = true;
        channels.channels().forEach(channel -> handler(channel).drain(channel));
    }

    private static UdpHandler handler(Channel channel) {
        return channel.pipeline().get(UdpHandler.class);
    }

    @Override
    public void close() {
        if (draining) {
            channels.channels().forEach(channel -> channel.closeFuture().awaitUninterruptibly());
        }
        channels.close();
    }
}
