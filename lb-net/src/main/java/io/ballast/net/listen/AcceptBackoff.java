package io.ballast.net.listen;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Pauses accepting on a listening socket when accepting fails, and doubles the pause while it keeps failing.
 * During a pause, clients wait in the accept queue. It is the first handler of a listening socket.
 *
 * <p>While the process is short of file descriptors, client sockets accept nothing, so that the reserve
 * serves existing connections. Operator sockets continue to accept, so that an operator can see what is
 * wrong.
 *
 * <p>Thread safety: confined to the socket's event loop; one instance per socket.
 */
public final class AcceptBackoff extends ChannelInboundHandlerAdapter {

    static final Duration SHORTEST = Duration.ofMillis(100);
    static final Duration LONGEST = Duration.ofSeconds(1);

    private final FileDescriptorReserve descriptors;
    private final boolean isForOperators;
    private final Runnable onFailure;
    private long pauseMillis = SHORTEST.toMillis();
    private boolean paused;

    AcceptBackoff(FileDescriptorReserve descriptors, boolean isForOperators, Runnable count) {
        this.descriptors = descriptors;
        this.isForOperators = isForOperators;
        this.onFailure = count;
    }

    /**
     * Creates a handler for a client socket.
     *
     * @param count run on the event loop for every failed accept
     */
    public static AcceptBackoff forClients(Runnable count) {
        return new AcceptBackoff(FileDescriptorReserve.ofProcess(), /* isForOperators= */ false, count);
    }

    /** Creates a handler for a socket on which operators connect. */
    public static AcceptBackoff forOperators() {
        return new AcceptBackoff(FileDescriptorReserve.ofProcess(), /* isForOperators= */ true, () -> {});
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object connection) {
        if (descriptors.isShort() && !isForOperators) {
            pause(ctx); // no free descriptor for another socket; the remaining ones are kept for existing connections
        } else {
            pauseMillis = SHORTEST.toMillis();
        }
        ctx.fireChannelRead(connection);
    }

    /**
     * Handles a failed accept: reports it and pauses accepting. The exception is not passed to Netty's own
     * handler, which would also pause, but would log each failure with its stack trace.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        onFailure.run();
        descriptors.reportAcceptFailure(ctx.channel().localAddress(), cause);
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
