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
 * A place for one request at a time, with a connection that is opened when it is needed and kept while the server and
 * the order allow it. Event-loop confined.
 */
final class LoadConnection {

    private final LoadRun run;
    private final ByteBuf request;
    private final boolean closes;
    private final Bootstrap bootstrap;
    private final InetSocketAddress server;
    private final ResponseReader reader = new ResponseReader();

    private @Nullable Channel channel;
    private boolean isAsking;
    private long dueNanos;

    /** Borrows {@code request}, which must outlive this. */
    LoadConnection(LoadRun run, ByteBuf request, boolean closes, Bootstrap bootstrap, InetSocketAddress server) {
        this.run = run;
        this.request = request;
        this.closes = closes;
        this.bootstrap = bootstrap;
        this.server = server;
    }

    /** Opens the connection ahead of the first request; the future may be complete already. */
    ChannelFuture open() {
        ChannelFuture opened = bootstrap.clone().handler(new Answers()).connect(server);
        channel = opened.channel();
        return opened;
    }

    /** Sends a request that was due at {@code due}; the run hears of its end. */
    void ask(long due) {
        isAsking = true;
        dueNanos = due;
        reader.reset();
        Channel open = channel;
        if (open != null && open.isActive()) {
            open.writeAndFlush(request.retainedDuplicate(), open.voidPromise());
            return;
        }
        open().addListener((ChannelFuture opened) -> {
            if (!isAsking) {
                return;
            }
            if (opened.isSuccess()) {
                opened.channel()
                        .writeAndFlush(
                                request.retainedDuplicate(), opened.channel().voidPromise());
            } else {
                fail(LoadResult.Failure.CONNECT);
            }
        });
    }

    /** Whether a request waits for its answer. */
    boolean isAsking() {
        return isAsking;
    }

    /** When the request that waits was due. */
    long dueNanos() {
        return dueNanos;
    }

    void close() {
        isAsking = false;
        Channel open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
    }

    private void fail(LoadResult.Failure failure) {
        if (isAsking) {
            close();
            run.failed(this, failure);
        }
    }

    private void answered() {
        if (closes || reader.closes()) {
            close();
        }
        isAsking = false;
        if (reader.status() / 100 == 2) {
            run.answered(this);
        } else {
            run.failed(this, LoadResult.Failure.STATUS);
        }
    }

    /** What an earlier connection still has to say is of no interest. */
    @SuppressWarnings("ReferenceEquality") // this very connection
    private boolean isCurrent(ChannelHandlerContext context) {
        return context.channel() == channel;
    }

    private final class Answers extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf received = (ByteBuf) message;
            try {
                if (!isCurrent(context)) {
                    return;
                }
                run.received(received.readableBytes());
                if (!isAsking) {
                    throw new IllegalStateException("an answer that nobody asked for");
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
                fail(LoadResult.Failure.READ);
                channel = null;
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (isCurrent(context)) {
                run.tell(cause);
            }
            context.close();
        }
    }
}
