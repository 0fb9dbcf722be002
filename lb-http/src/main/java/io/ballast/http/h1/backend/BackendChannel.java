package io.ballast.http.h1.backend;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.stats.Counters;
import io.ballast.http.relay.Failure;
import io.ballast.net.budget.BudgetedReads;
import io.ballast.net.timer.DeadlineWheel;
import io.ballast.net.tls.TlsEnd;
import io.ballast.net.transport.LostOutput;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import org.jspecify.annotations.Nullable;

/**
 * What every connection to a backend has, however many exchanges it serves at once: what it counts and reads with, and
 * how it ends. Event-loop confined.
 */
abstract class BackendChannel extends ChannelInboundHandlerAdapter {

    final BackendLoop loop;
    final Backend backend;
    final BackendConnections settings;
    final Counters.Shard<BackendCounter> counters;
    final Lifetime lifetime;
    final ResponseReader reader;
    final BudgetedReads reads;

    /** Null until the connection is registered. */
    @Nullable ChannelHandlerContext context;

    private boolean outputLost;

    BackendChannel(BackendLoop loop, Backend backend, BackendConnections settings) {
        this(loop, backend, settings, loop.worker.newReads());
    }

    BackendChannel(BackendLoop loop, Backend backend, BackendConnections settings, BudgetedReads reads) {
        this.loop = loop;
        this.backend = backend;
        this.settings = settings;
        this.counters = backend.stats().counters(loop.worker.index());
        this.lifetime = new Lifetime(loop.worker, settings);
        this.reader = new ResponseReader(loop, settings.responseLimits());
        this.reads = reads;
    }

    /** The response that is due is complete. */
    abstract void complete();

    /** The response that is due will not come, or not whole: ends the connection. */
    abstract void fail(Failure failure);

    /** Whether a write has failed. The backend gets no more requests on this connection, but its answers are still read. */
    final boolean isOutputLost() {
        return outputLost;
    }

    /** A write has failed for the first time. */
    void outputLost() {
        LostOutput.stopWriting(requireNonNull(context).channel());
    }

    /** Something was read. */
    final void countReceived(ByteBuf received) {
        loop.worker.readClock();
        counters.add(BackendCounter.BYTES_FROM, received.readableBytes());
    }

    /**
     * The connection ended while a response was due.
     *
     * @param inBody whether the head of that response came
     */
    final void ended(boolean inBody) {
        Failure failure = reader.atEnd(inBody);
        if (failure == null && TlsEnd.isTruncated(requireNonNull(context).channel())) {
            fail(Failure.RESPONSE_CUT);
        } else if (failure == null) {
            complete();
        } else {
            fail(failure);
        }
    }

    /** Lets go of what the connection holds and closes it. */
    final void closeWith(DeadlineWheel.Deadline deadline) {
        loop.worker.deadlines().remove(deadline);
        reader.release();
        if (context != null) {
            context.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!LostOutput.isCause(cause)) {
            reader.broken(ctx, cause);
        } else if (LostOutput.isReset(cause)) {
            reader.reset();
        }
    }

    /** Unless a handler ends the output itself, as one of a tunnel does, its end means that a write has failed. */
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
}
