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
import io.ballast.net.budget.BudgetedReads;
import io.ballast.net.budget.Shedding;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.SocketAddress;

/**
 * A client's connection: reads one request after the other, hands each to the exchange, and has the responses passed on. What
 * happens on the channel comes in here; {@link RequestCycle} is what becomes of it.
 *
 * <p>Requests that a client sends ahead (pipelining) wait, unread, until the response before them is out. Whatever is
 * wrong with a request ends the connection, since nobody can tell where the next one would begin. Event-loop confined.
 */
public final class ClientConnection extends ChannelInboundHandlerAdapter {

    private final Worker worker;
    private final Listener listener;
    private final ConnectionSettings settings;
    private final Counters.Shard<ListenerCounter> counters;
    private final SocketAddress peer;
    private final BudgetedReads reads;
    private final ClientOutput output;
    private final ClientDeadline deadline;
    private final RequestCycle cycle;
    private final Holdings holdings = new Holdings();

    private boolean handedOver;
    private long receivedBytes;

    /**
     * @param backends where connections to backends come from
     * @param settings of the listener, which the connection keeps
     * @param channel connected, in whose pipeline this handler will be the last
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
        this.reads = worker.readsOf(channel);
        this.output = new ClientOutput(channel, worker.transit(), counters);
        this.deadline = new ClientDeadline(worker, settings.config().deadlines(), output, this::deadlineOver);
        this.cycle = new RequestCycle(loop, backends, listener, settings, channel, peer, local, output, deadline);
    }

    private void deadlineOver() {
        cycle.deadlineOver();
    }

    // ---- its life

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        counters.increment(ListenerCounter.CONNECTIONS_OPENED);
        worker.shedding().add(holdings);
        // A client that connects and says nothing is as slow as one that stops in the middle of a head.
        deadline.awaitHead();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        cycle.end();
        worker.shedding().remove(holdings);
        if (handedOver) {
            return;
        }
        counters.increment(ListenerCounter.CONNECTIONS_CLOSED);
        listener.closed(settings, peer);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        cycle.end();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (BudgetedReads.isPause(cause)) {
            return;
        }
        UnexpectedErrors.report(cause); // a reset by the client is none; channelInactive does the rest
        ctx.close();
    }

    /** The connection, of which nothing was read, speaks another protocol: who serves it now counts its end, too. */
    public void handOver() {
        handedOver = true;
    }

    /** Ends the connection if it is between two requests; else it ends after the present one. */
    public void drain() {
        cycle.drain();
    }

    // ---- reading and writing

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf received = (ByteBuf) message;
        worker.readClock();
        receivedBytes += received.readableBytes();
        counters.add(ListenerCounter.BYTES_IN, received.readableBytes());
        cycle.received(received);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reads.roundEnded(ctx.channel(), cycle.expectsBody());
        cycle.paused();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        cycle.event(event);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        cycle.writabilityChanged();
    }

    // ---- when memory is short

    private final class Holdings extends Shedding.Holder {

        @Override
        protected long heldBytes() {
            return output.pendingBytes() + cycle.heldBytes();
        }

        @Override
        protected long movedBytes() {
            return receivedBytes + output.takenBytes();
        }

        @Override
        protected void shed() {
            cycle.shed();
        }
    }
}
