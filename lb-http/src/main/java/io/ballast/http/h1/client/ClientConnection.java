package io.ballast.http.h1.client;

import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.net.UnexpectedErrors;
import io.ballast.http.net.Worker;
import io.ballast.http.serving.ClientDeadline;
import io.ballast.http.serving.ClientOutput;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.ballast.net.budget.ConnectionShedding;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.SocketAddress;

/**
 * The channel handler of a client connection. Passes channel events to {@link Http1Session}, which serves the requests.
 *
 * <p>A pipelined request is not handled until the previous response was sent. An invalid request ends the connection,
 * because the start of the next request is uncertain. Event-loop confined.
 */
public final class ClientConnection extends ChannelInboundHandlerAdapter {

    private final Worker worker;
    private final Listener listener;
    private final ConnectionSettings settings;
    private final Counters.Shard<ListenerCounter> counters;
    private final SocketAddress peer;
    private final BudgetedRecvByteBufAllocator reads;
    private final ClientOutput output;
    private final ClientDeadline deadline;
    private final Http1Session session;
    private final MemoryShedding memoryShedding = new MemoryShedding();

    private boolean handedOver;
    private long receivedBytes;

    /**
     * Creates the handler of a client connection.
     *
     * @param backends opens the connections to backends
     * @param settings the listener's settings, which the connection keeps
     * @param channel a connected channel; this handler will be the last one in its pipeline
     */
    public ClientConnection(
            ClientLoop loop,
            ConnectionSource backends,
            Listener listener,
            ConnectionSettings settings,
            Channel channel,
            SocketAddress peer,
            SocketAddress local) {
        this.worker = loop.worker;
        this.listener = listener;
        this.settings = settings;
        this.counters = listener.counters().shard(worker.index());
        this.peer = peer;
        this.reads = worker.readAllocatorOf(channel);
        this.output = new ClientOutput(channel, worker.transit(), counters);
        this.deadline = new ClientDeadline(worker, settings.config().deadlines(), output, this::deadlineOver);
        this.session = new Http1Session(loop, backends, listener, settings, channel, peer, local, output, deadline);
    }

    private void deadlineOver() {
        session.termination().deadlineOver();
    }

    // ---- life cycle

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        counters.increment(ListenerCounter.CONNECTIONS_OPENED);
        worker.shedding().add(memoryShedding);
        // The time limit for a head also applies to a client that sends nothing after connecting.
        deadline.awaitHead();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        session.end();
        worker.shedding().remove(memoryShedding);
        worker.descriptors().freed();
        if (handedOver) {
            return;
        }
        counters.increment(ListenerCounter.CONNECTIONS_CLOSED);
        listener.closed(settings, peer);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        session.end();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (BudgetedRecvByteBufAllocator.isPause(cause)) {
            return;
        }
        UnexpectedErrors.report(cause); // does not log client resets; channelInactive does the cleanup
        ctx.close();
    }

    /**
     * Stops counting this connection. Called before any data is read. The handler that takes over counts the end
     * of the connection.
     */
    public void handOver() {
        handedOver = true;
    }

    /** Closes the connection: immediately if it is between requests, otherwise after the current request. */
    public void drain() {
        session.drain();
    }

    // ---- reading and writing

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf received = (ByteBuf) message;
        worker.readClock();
        receivedBytes += received.readableBytes();
        counters.add(ListenerCounter.BYTES_IN, received.readableBytes());
        session.received(received);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reads.endReadLoop(ctx.channel(), session.expectsBody());
        session.readComplete();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        session.event(event);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        session.writabilityChanged();
    }

    // ---- memory shortage

    private final class MemoryShedding extends ConnectionShedding.Sheddable {

        @Override
        protected long bufferedBytes() {
            return output.pendingBytes() + session.bufferedBytes();
        }

        @Override
        protected long movedBytes() {
            return receivedBytes + output.acceptedBytes();
        }

        @Override
        protected void shed() {
            session.termination().shed();
        }
    }
}
