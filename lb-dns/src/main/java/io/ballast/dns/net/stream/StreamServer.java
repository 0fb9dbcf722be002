package io.ballast.dns.net.stream;

import io.ballast.core.config.TransportKind;
import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.net.ChannelSet;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.net.listen.AcceptPause;
import io.ballast.net.loop.FrontendLoops;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.channel.unix.UnixChannelOption;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;

/**
 * Listens for connections on one address until it is closed: with epoll every event loop accepts its own, elsewhere the
 * first loop accepts for all.
 */
public final class StreamServer implements AutoCloseable {

    private static final int BACKLOG = 1024;

    /** A read takes a hundred queries; an idle connection with half a query holds no more than this. */
    private static final int READ_BYTES = 4096;

    private static final ChannelOption<Integer> IPV6_V6ONLY =
            new IntegerUnixChannelOption("IPV6_V6ONLY", /* IPPROTO_IPV6 */ 41, /* of Linux */ 26);

    private final ChannelSet channels = new ChannelSet();

    private StreamServer() {}

    /**
     * Starts to serve.
     *
     * @throws IOException if the address cannot be bound
     */
    public static StreamServer bind(InetSocketAddress address, FrontendLoops<AnswerLoop> loops, StreamAcceptor acceptor)
            throws IOException {
        StreamServer server = new StreamServer();
        try {
            for (AnswerLoop loop : loops.listening()) {
                server.channels.bind(bootstrap(loop, loops, acceptor, address), address, "TCP", loop.heartbeat());
            }
            return server;
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    /** Whether the wildcard of IPv6 leaves IPv4 alone here, for which another listener may be. */
    public static boolean keepsToIpv6(FrontendLoops<AnswerLoop> loops) {
        return loops.transport().kind() == TransportKind.EPOLL;
    }

    private static ServerBootstrap bootstrap(
            AnswerLoop loop, FrontendLoops<AnswerLoop> loops, StreamAcceptor acceptor, InetSocketAddress address) {
        boolean sharesPort = loops.transport().sharesPort();
        EventLoopGroup connections = sharesPort ? loop.eventLoop() : loops.group();
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop.eventLoop(), connections)
                .channel(loops.transport().serverChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .handler(AcceptPause.forClients(() -> loop.count(DnsCounter.NOT_ACCEPTED)))
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
                .childHandler(acceptor);
        if (keepsToIpv6(loops) && address.getAddress() instanceof Inet6Address) {
            bootstrap.option(IPV6_V6ONLY, 1);
        }
        return sharesPort ? bootstrap.option(UnixChannelOption.SO_REUSEPORT, true) : bootstrap;
    }

    @Override
    public void close() {
        channels.close();
    }
}
