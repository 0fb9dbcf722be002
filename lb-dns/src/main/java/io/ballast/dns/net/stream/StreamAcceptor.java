package io.ballast.dns.net.stream;

import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.net.config.TransportKind;
import io.ballast.net.listen.ListeningPort;
import io.ballast.net.loop.FrontendLoops;
import io.ballast.net.proxyprotocol.ProxyHeaderReader;
import io.ballast.net.takeover.SharedSocket;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;

/** Listens on a port and sets up the accepted connections. Thread safety: shared by all event loops. */
@Sharable
public final class StreamAcceptor extends ChannelInitializer<Channel> {

    private static final int BACKLOG = 1024;

    /**
     * Size of the read buffer in bytes, enough for a hundred queries. An idle connection with a partial query
     * uses no more memory than this.
     */
    private static final int READ_BYTES = 4096;

    private static final ChannelOption<Integer> IPV6_V6ONLY =
            new IntegerUnixChannelOption("IPV6_V6ONLY", /* IPPROTO_IPV6 */ 41, /* IPV6_V6ONLY on Linux */ 26);

    private final StreamLoops loops;
    private volatile StreamService service;

    /** @param loops the loops of the frontend; their limits apply to all listeners together */
    public StreamAcceptor(StreamLoops loops, StreamService service) {
        this.loops = loops;
        this.service = service;
    }

    /** Sets the service for new connections; open ones are unchanged. */
    public void setService(StreamService next) {
        service = next;
    }

    /** Returns the service that handles new connections. */
    public StreamService service() {
        return service;
    }

    /**
     * Whether the IPv6 wildcard address does not include IPv4 on this transport, so that another listener may use
     * IPv4.
     */
    public static boolean isIpv6Only(FrontendLoops<AnswerLoop> loops) {
        return loops.transport().kind() == TransportKind.EPOLL;
    }

    /**
     * Starts to accept connections on {@code address}.
     *
     * @throws BindException if the address cannot be bound
     */
    public ListeningPort listen(InetSocketAddress address, FrontendLoops<AnswerLoop> on) throws BindException {
        ListeningPort port = prepare(address, on);
        port.accept();
        return port;
    }

    /** Like {@link #listen}, but clients wait in the backlog until {@link ListeningPort#accept} is called. */
    public ListeningPort prepare(InetSocketAddress address, FrontendLoops<AnswerLoop> on) throws BindException {
        ServerBootstrap options = new ServerBootstrap()
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.AUTO_READ, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
                .childHandler(this);
        boolean isBound = on.inherited().has(SharedSocket.Kind.TCP, address);
        if (!isBound && isIpv6Only(on) && address.getAddress() instanceof Inet6Address) {
            options.option(IPV6_V6ONLY, 1);
        }
        return ListeningPort.bind(address, on, options, loop -> loop.count(DnsCounter.NOT_ACCEPTED));
    }

    @Override
    protected void initChannel(Channel channel) {
        StreamLoop loop = loops.of(channel.eventLoop());
        StreamService now = service;
        StreamConnection connection = new StreamConnection(loop, now);
        if (!(channel.remoteAddress() instanceof InetSocketAddress peer)) {
            channel.close(); // The client has already disconnected.
        } else if (now.isDirect()) {
            startDirect(channel, peer, connection, now.protocol());
        } else if (now.trusts(peer.getAddress())) {
            startProxied(channel, peer, connection, now.protocol());
        } else {
            loop.answerLoop().count(DnsCounter.PROXY_REFUSED);
            channel.close();
        }
    }

    private static void startProxied(
            Channel channel, InetSocketAddress proxy, StreamConnection connection, StreamProtocol protocol) {
        ProxiedStreamStart start = new ProxiedStreamStart(connection, protocol, proxy);
        channel.pipeline().addLast(connection, new ProxyHeaderReader(start));
        connection.started(); // the proxy sends the header without waiting for data, so its deadline starts now
    }

    private static void startDirect(
            Channel channel, InetSocketAddress peer, StreamConnection connection, StreamProtocol protocol) {
        if (!connection.admitClient(peer)) {
            channel.close();
            return;
        }
        channel.pipeline().addLast(connection);
        protocol.start(channel.pipeline(), connection);
    }
}
