package io.ballast.http.h1.backend;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.stats.Counters;
import io.ballast.http.relay.Failure;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.ballast.net.timer.DeadlineWheel;
import io.ballast.net.tls.TlsCloseHandler;
import io.ballast.net.transport.FailedWriteReader;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import org.jspecify.annotations.Nullable;

/**
 * The base class of backend connections, which serve either one exchange or several at once. It handles
 * counters, reading, and the end of the connection. Event-loop confined.
 */
abstract class BackendChannel extends ChannelInboundHandlerAdapter {

    final BackendLoop loop;
    final Backend backend;
    final BackendConnections settings;
    final Counters.Shard<BackendCounter> counters;
    final ConnectionLifetime lifetime;
    final ResponseReader reader;
    final BudgetedRecvByteBufAllocator reads;

    /** The handler context; null until the channel is registered. */
    @Nullable ChannelHandlerContext context;

    private boolean outputLost;

    BackendChannel(BackendLoop loop, Backend backend, BackendConnections settings) {
        this(loop, backend, settings, loop.worker.newReadAllocator());
    }

    BackendChannel(BackendLoop loop, Backend backend, BackendConnections settings, BudgetedRecvByteBufAllocator reads) {
        this.loop = loop;
        this.backend = backend;
        this.settings = settings;
        this.counters = backend.stats().counters(loop.worker.index());
        this.lifetime = new ConnectionLifetime(loop.worker, settings);
        this.reader = new ResponseReader(loop, settings.responseLimits());
        this.reads = reads;
    }

    /** Called when the current response is complete. */
    abstract void complete();

    /** Closes the connection because the current response is missing or incomplete. */
    abstract void fail(Failure failure);

    /** Whether a write has failed. The connection gets no more requests, but its responses are still read. */
    final boolean isOutputLost() {
        return outputLost;
    }

    /** Called when a write has failed for the first time. */
    void outputLost() {
        FailedWriteReader.stopWriting(requireNonNull(context).channel());
    }

    /** Counts received bytes. */
    final void countReceived(ByteBuf received) {
        loop.worker.readClock();
        counters.add(BackendCounter.BYTES_FROM, received.readableBytes());
    }

    /**
     * Handles the end of the connection while the next response is expected or incomplete.
     *
     * @param inBody whether the head of that response has arrived
     */
    final void ended(boolean inBody) {
        Failure failure = reader.failureAtEnd(inBody);
        if (failure == null
                && TlsCloseHandler.isTruncated(requireNonNull(context).channel())) {
            fail(Failure.RESPONSE_CUT);
        } else if (failure == null) {
            complete();
        } else {
            fail(failure);
        }
    }

    /** Releases the connection's resources and closes it. */
    final void closeWith(DeadlineWheel.Deadline deadline) {
        loop.worker.deadlines().remove(deadline);
        reader.release();
        if (context != null) {
            context.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!FailedWriteReader.isFailedWrite(cause)) {
            reader.broken(ctx, cause);
        } else if (FailedWriteReader.isReset(cause)) {
            reader.reset();
        }
    }

    /**
     * Handles an output shutdown. A shutdown means that a write has failed, unless a handler has ended the output
     * itself, as the handler of a tunnel does.
     */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelOutputShutdownEvent.INSTANCE && !outputLost) {
            outputLost = true;
            outputLost();
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        loop.worker.transport().prepare(ctx.pipeline());
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        loop.worker.descriptors().freed();
    }
}
