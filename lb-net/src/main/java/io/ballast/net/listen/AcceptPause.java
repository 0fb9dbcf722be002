package io.ballast.net.listen;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Stands in front of a listening socket's own handlers: when a connection cannot be accepted, accepts none for a while,
 * and for longer each time that this was of no use. Clients wait in the system's queue meanwhile.
 *
 * <p>While descriptors are short, sockets for clients accept nothing, so that what is held in reserve serves connections
 * that are there; sockets for operators, who want to see what is wrong, go on.
 *
 * <p>Thread safety: confined to the socket's event loop; one for each socket.
 */
public final class AcceptPause extends ChannelInboundHandlerAdapter {

    static final Duration SHORTEST = Duration.ofMillis(100);
    static final Duration LONGEST = Duration.ofSeconds(1);

    private final Descriptors descriptors;
    private final boolean isForOperators;
    private final Runnable count;
    private long pauseMillis = SHORTEST.toMillis();
    private boolean paused;

    AcceptPause(Descriptors descriptors, boolean isForOperators, Runnable count) {
        this.descriptors = descriptors;
        this.isForOperators = isForOperators;
        this.count = count;
    }

    /**
     * For a socket that clients connect to.
     *
     * @param count run on the event loop for every connection that could not be accepted when it was tried
     */
    public static AcceptPause forClients(Runnable count) {
        return new AcceptPause(Descriptors.ofProcess(), /* isForOperators= */ false, count);
    }

    /** For a socket that operators connect to. */
    public static AcceptPause forOperators() {
        return new AcceptPause(Descriptors.ofProcess(), /* isForOperators= */ true, () -> {});
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object connection) {
        if (descriptors.isShort() && !isForOperators) {
            pause(ctx); // another socket ran out of descriptors: what is left is for connections that are there
        } else {
            pauseMillis = SHORTEST.toMillis();
        }
        ctx.fireChannelRead(connection);
    }

    /** Accepting failed. Ends here: Netty would pause, too, but log every single one with its stack. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        count.run();
        descriptors.failedToAccept(ctx.channel().localAddress(), cause);
        pause(ctx);
    }

    private void pause(ChannelHandlerContext ctx) {
        if (paused || !ctx.channel().isOpen()) {
            return;
        }
        paused = true;
        ctx.channel().config().setAutoRead(false);
        resumeLater(ctx);
    }

    private void resumeLater(ChannelHandlerContext ctx) {
        ctx.executor().schedule(() -> resume(ctx), pauseMillis, TimeUnit.MILLISECONDS);
        pauseMillis = Math.min(2 * pauseMillis, LONGEST.toMillis());
    }

    private void resume(ChannelHandlerContext ctx) {
        if (!ctx.channel().isOpen()) {
            return;
        }
        if (!descriptors.hasRecovered() && !isForOperators) {
            resumeLater(ctx);
            return;
        }
        paused = false;
        ctx.channel().config().setAutoRead(true);
    }
}
