package io.ballast.bench.load;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A client connection that carries one request at a time. It is opened on demand and reused while the server and the
 * configuration allow it. Event-loop confined.
 */
final class LoadConnection {

    private final LoadRun run;
    private final ByteBuf request;
    private final boolean closes;
    private final Bootstrap bootstrap;
    private final InetSocketAddress server;
    private final InetSocketAddress source;
    private final LoadResponseParser reader = new LoadResponseParser();

    private @Nullable Channel channel;
    private boolean isBusy;
    private long dueNanos;

    /** @param request the encoded request; the caller must not release it while this object is in use */
    LoadConnection(
            LoadRun run,
            ByteBuf request,
            boolean closes,
            Bootstrap bootstrap,
            InetSocketAddress server,
            InetSocketAddress source) {
        this.run = run;
        this.request = request;
        this.closes = closes;
        this.bootstrap = bootstrap;
        this.server = server;
        this.source = source;
    }

    /** Opens the connection before the first request; the future may be complete already. */
    ChannelFuture open() {
        ChannelFuture opened = bootstrap.clone().handler(new ResponseHandler()).connect(server, source);
        channel = opened.channel();
        return opened;
    }

    /** Sends a request that was due at {@code due}, and reports its result to the run. */
    void send(long due) {
        isBusy = true;
        dueNanos = due;
        reader.reset();
        Channel open = channel;
        if (open != null && open.isActive()) {
            open.writeAndFlush(request.retainedDuplicate(), open.voidPromise());
            return;
        }
        open().addListener((ChannelFuture opened) -> {
            if (!isBusy) {
                return;
            }
            if (opened.isSuccess()) {
                opened.channel()
                        .writeAndFlush(
                                request.retainedDuplicate(), opened.channel().voidPromise());
            } else {
                fail(LoadResult.RequestFailure.CONNECT);
            }
        });
    }

    /** Returns whether a request is in flight. */
    boolean isBusy() {
        return isBusy;
    }

    /** Returns when the request in flight was due. */
    long dueNanos() {
        return dueNanos;
    }

    void close() {
        isBusy = false;
        Channel open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
    }

    private void fail(LoadResult.RequestFailure failure) {
        if (isBusy) {
            close();
            run.failed(this, failure);
        }
    }

    private void answered() {
        if (closes || reader.closes()) {
            close();
        }
        isBusy = false;
        if (reader.status() / 100 == 2) {
            run.answered(this);
        } else {
            run.failed(this, LoadResult.RequestFailure.STATUS);
        }
    }

    /** Returns false for events of an earlier connection. */
    @SuppressWarnings("ReferenceEquality") // compares identity
    private boolean isCurrent(ChannelHandlerContext context) {
        return context.channel() == channel;
    }

    private final class ResponseHandler extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf received = (ByteBuf) message;
            try {
                if (!isCurrent(context)) {
                    return;
                }
                run.received(received.readableBytes());
                if (!isBusy) {
                    throw new IllegalStateException("a response without a request");
                }
                if (reader.read(received)) {
                    answered();
                }
            } finally {
                received.release();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (isCurrent(context)) {
                fail(LoadResult.RequestFailure.READ);
                channel = null;
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (isCurrent(context)) {
                run.logError(cause);
            }
            context.close();
        }
    }
}
