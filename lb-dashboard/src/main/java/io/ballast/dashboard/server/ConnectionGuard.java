package io.ballast.dashboard.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Enforces the limits of one connection: the connection count, the time to receive a request, and a close after the
 * current response. It is the first handler of the pipeline. Event-loop confined.
 */
final class ConnectionGuard extends ChannelInboundHandlerAdapter {

    private final OpenConnections connections;
    private final long requestMillis;
    private boolean idle;
    private boolean retiring;
    private int running;
    private @Nullable ScheduledFuture<?> deadline;

    /**
     * @param requestMillis maximum time to receive a request, from the connect or from its first byte
     */
    ConnectionGuard(OpenConnections connections, long requestMillis) {
        this.connections = connections;
        this.requestMillis = requestMillis;
    }

    static InetAddress client(Channel channel) {
        return ((InetSocketAddress) channel.remoteAddress()).getAddress();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        Channel channel = context.channel();
        InetAddress client = client(channel);
        boolean admitted = connections.admit(channel, client);
        channel.closeFuture().addListener(closed -> {
            stopWaiting();
            connections.release(channel, client);
        });
        if (!admitted) {
            context.close();
            return;
        }
        await(channel);
        context.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (idle) {
            idle = false;
            connections.awaiting(context.channel());
            await(context.channel());
        }
        context.fireChannelRead(message);
    }

    /** Closes the connection: at once if it is idle, otherwise after the current or the next response. */
    void retire(Channel channel) {
        retiring = true;
        if (idle) {
            channel.close();
        }
    }

    boolean isRetiring() {
        return retiring;
    }

    /** A request is complete and is being handled. */
    void serving(Channel channel) {
        idle = false;
        running++;
        stopWaiting();
        connections.serving(channel);
    }

    /** A response is sent. */
    void served(Channel channel) {
        running--;
        if (running == 0 && retiring) {
            channel.close();
        } else if (running == 0 && channel.isActive()) {
            idle = true;
            connections.served(channel);
        }
    }

    private void await(Channel channel) {
        deadline = channel.eventLoop().schedule(() -> channel.close(), requestMillis, TimeUnit.MILLISECONDS);
    }

    private void stopWaiting() {
        if (deadline != null) {
            deadline.cancel(/* mayInterruptIfRunning= */ false);
            deadline = null;
        }
    }
}
