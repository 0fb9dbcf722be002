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
 * Enforces the limits of one connection: counts it against the maximum number of connections, limits the
 * time to receive a request, and closes it after the current response. It is the first handler of the
 * pipeline. Confined to the event loop.
 */
final class ConnectionGuard extends ChannelInboundHandlerAdapter {

    private final OpenConnections connections;
    private final long requestDeadlineMillis;
    private boolean idle;
    private boolean draining;
    private int pendingRequests;
    private @Nullable ScheduledFuture<?> deadline;

    /**
     * @param requestMillis maximum time to receive a request, measured from the connect or from the request's
     *     first byte
     */
    ConnectionGuard(OpenConnections connections, long requestMillis) {
        this.connections = connections;
        this.requestDeadlineMillis = requestMillis;
    }

    static InetAddress clientAddress(Channel channel) {
        return ((InetSocketAddress) channel.remoteAddress()).getAddress();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        Channel channel = context.channel();
        InetAddress client = clientAddress(channel);
        boolean admitted = connections.admit(channel, client);
        channel.closeFuture().addListener(closed -> {
            cancelDeadline();
            connections.release(channel, client);
        });
        if (!admitted) {
            context.close();
            return;
        }
        startDeadline(channel);
        context.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (idle) {
            idle = false;
            connections.markReceiving(context.channel());
            startDeadline(context.channel());
        }
        context.fireChannelRead(message);
    }

    /** Closes the connection: at once if it is idle, otherwise after the current or the next response. */
    void drain(Channel channel) {
        draining = true;
        if (idle) {
            channel.close();
        }
    }

    boolean isDraining() {
        return draining;
    }

    /** Called when a complete request was received and its handling starts. */
    void beginRequest(Channel channel) {
        idle = false;
        pendingRequests++;
        cancelDeadline();
        connections.markBusy(channel);
    }

    /** Called when a response was sent. */
    void endRequest(Channel channel) {
        pendingRequests--;
        if (pendingRequests == 0 && draining) {
            channel.close();
        } else if (pendingRequests == 0 && channel.isActive()) {
            idle = true;
            connections.markIdle(channel);
        }
    }

    private void startDeadline(Channel channel) {
        deadline = channel.eventLoop().schedule(() -> channel.close(), requestDeadlineMillis, TimeUnit.MILLISECONDS);
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel(/* mayInterruptIfRunning= */ false);
            deadline = null;
        }
    }
}
