package io.ballast.bench.load;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A backend that delays every response, which nginx cannot do. It uses one thread and listens on loopback only. With
 * {@code SLOTS}, it works on at most this number of requests at the same time, and further requests wait: its capacity
 * is the number of slots divided by the delay.
 *
 * <pre>
 *   java -cp lb-bench/target/benchmarks.jar io.ballast.bench.load.DelayedBackend PORT DELAY_MILLISECONDS [SLOTS]
 * </pre>
 */
public final class DelayedBackend {

    private static final int BACKLOG = 4096;

    private DelayedBackend() {}

    public static void main(String[] arguments) throws InterruptedException {
        int port = Integer.parseInt(arguments[0]);
        Duration delay = Duration.ofMillis(Long.parseLong(arguments[1]));
        int slots = arguments.length > 2 ? Integer.parseInt(arguments[2]) : Integer.MAX_VALUE;
        boolean epoll = Epoll.isAvailable();
        IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        Class<? extends ServerChannel> channel = epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        new ServerBootstrap()
                .group(new MultiThreadIoEventLoopGroup(1, io))
                .channel(channel)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(connections(delay, slots))
                .bind(InetAddress.getLoopbackAddress(), port)
                .sync()
                .channel()
                .closeFuture()
                .sync();
    }

    private static ChannelHandler connections(Duration delay, int slots) {
        AtomicLong served = new AtomicLong();
        WorkSlots work = new WorkSlots(slots);
        return new ChannelInitializer<SocketChannel>() {
            @Override
            protected void initChannel(SocketChannel connection) {
                connection.pipeline().addLast(new HttpServerCodec(), new DelayedResponseHandler(delay, served, work));
            }
        };
    }
}
