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
 * Watches one connection: whether there is room for it, how long it takes to send a request, and whether it is to end
 * after the answer under way. The first handler of its pipeline. Event-loop confined.
 */
final class ConnectionGuard extends ChannelInboundHandlerAdapter {

    private final OpenConnections connections;
    private final long requestMillis;
    private boolean idle;
    private boolean retiring;
    private int running;
    private @Nullable ScheduledFuture<?> deadline;

    /** @param requestMillis how long a whole request may take, from the connection or its first octet on */
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
            connections.leave(channel, client);
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

    /** Has the connection end: at once if it is idle, else with the answer under way or the one that comes. */
    void retire(Channel channel) {
        retiring = true;
        if (idle) {
            channel.close();
        }
    }

    boolean isRetiring() {
        return retiring;
    }

    /** The request is there. */
    void serving(Channel channel) {
        idle = false;
        running++;
        stopWaiting();
        connections.serving(channel);
    }

    /** The answer is out. */
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
