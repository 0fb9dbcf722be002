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
 * Opens the connections of checks on one event loop, which it is confined to. What they have in common is prepared once.
 */
final class CheckConnector {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(0);

    private final Worker worker;
    private final Bootstrap toPorts;

    CheckConnector(Worker worker) {
        this.worker = worker;
        this.toPorts = prepared(ANY_PORT);
    }

    EventLoop eventLoop() {
        return worker.eventLoop();
    }

    /** Begins a connection, which reads nothing until it is told to, and has no deadline of its own. */
    ChannelFuture connect(SocketAddress target) {
        return target instanceof InetSocketAddress
                ? toPorts.connect(target)
                : prepared(target).connect();
    }

    private Bootstrap prepared(SocketAddress target) {
        return worker.transport()
                .connecting(new Bootstrap(), target)
                .group(worker.eventLoop())
                .option(ChannelOption.ALLOCATOR, worker.allocator())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
                .option(ChannelOption.AUTO_READ, false) // a backend may speak before there is somebody to listen
                .handler(Nothing.INSTANCE);
    }

    /** Stands in the pipeline, in whose front TLS can be put. */
    @ChannelHandler.Sharable
    private static final class Nothing extends ChannelInboundHandlerAdapter {

        static final Nothing INSTANCE = new Nothing();
    }
}
