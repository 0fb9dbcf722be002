package io.ballast.http.check;

import io.ballast.http.net.Worker;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/**
 * Opens the connections of health checks on one event loop, to which it is confined. The options that all
 * connections share are prepared once.
 */
final class CheckConnector {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(0);

    private final Worker worker;
    private final Bootstrap toPorts;

    CheckConnector(Worker worker) {
        this.worker = worker;
        this.toPorts = newBootstrap(ANY_PORT);
    }

    EventLoop eventLoop() {
        return worker.eventLoop();
    }

    /** Starts to connect, with auto-read off and without a connect timeout; the caller must set a deadline. */
    ChannelFuture connect(SocketAddress target) {
        return target instanceof InetSocketAddress
                ? toPorts.connect(target)
                : newBootstrap(target).connect();
    }

    private Bootstrap newBootstrap(SocketAddress target) {
        return worker.transport()
                .configureConnect(new Bootstrap(), target)
                .group(worker.eventLoop())
                .option(ChannelOption.ALLOCATOR, worker.allocator())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
                .option(ChannelOption.AUTO_READ, false) // a backend may send data before a handler is installed
                .handler(Nothing.INSTANCE);
    }

    /** A placeholder handler; the TLS handler can be added in front of it. */
    @ChannelHandler.Sharable
    private static final class Nothing extends ChannelInboundHandlerAdapter {

        static final Nothing INSTANCE = new Nothing();
    }
}
