package io.ballast.dns.net.stream;

import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.net.AnswerLoops;
import io.ballast.dns.net.ChannelSet;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.unix.UnixChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Listens for connections on one address until it is closed: with epoll every event loop accepts its own, elsewhere the
 * first loop accepts for all.
 */
public final class StreamServer implements AutoCloseable {

    private static final int BACKLOG = 1024;

    /** A read takes a hundred queries; an idle connection with half a query holds no more than this. */
    private static final int READ_BYTES = 4096;

    private final ChannelSet channels = new ChannelSet();

    private StreamServer() {}

    /**
     * Starts to serve.
     *
     * @throws IOException if the address cannot be bound
     */
    public static StreamServer bind(InetSocketAddress address, AnswerLoops loops, StreamAcceptor acceptor)
            throws IOException {
        StreamServer server = new StreamServer();
        try {
            for (AnswerLoop loop : loops.listening()) {
                server.channels.bind(bootstrap(loop, loops, acceptor), address, "TCP");
            }
            return server;
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    private static ServerBootstrap bootstrap(AnswerLoop loop, AnswerLoops loops, StreamAcceptor acceptor) {
        boolean sharesPort = loops.transport().sharesPort();
        EventLoopGroup connections = sharesPort ? loop.eventLoop() : loops.group();
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop.eventLoop(), connections)
                .channelFactory(loops.transport().servers())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
                .childHandler(acceptor);
        return sharesPort ? bootstrap.option(UnixChannelOption.SO_REUSEPORT, true) : bootstrap;
    }

    @Override
    public void close() {
        channels.close();
    }
}
