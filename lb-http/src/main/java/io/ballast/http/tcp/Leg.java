package io.ballast.http.tcp;

import static java.util.Objects.requireNonNull;

import io.ballast.http.net.UnexpectedErrors;
import io.ballast.http.net.Worker;
import io.ballast.net.budget.BudgetedReads;
import io.ballast.net.budget.OutputMarks;
import io.ballast.net.timer.DeadlineWheel;
import io.ballast.net.tls.TlsEnd;
import io.ballast.net.transport.LostOutput;
import io.ballast.net.transport.OutputShutdown;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One of the two connections of a session: that of the client, or that to the backend. Either side may finish sending while
 * the other goes on. Event-loop confined.
 */
final class Leg extends ChannelInboundHandlerAdapter {

    /** A round of reading that brought as much is likely to be followed by another. */
    private static final int MUCH_BYTES = 4 * 1024;

    private final TcpSession session;
    private final Worker worker;
    private final BudgetedReads reads;
    private @Nullable Channel channel;
    private @Nullable OutputMarks marks;
    private int readInRound;
    private boolean finished;
    private boolean deaf;
    private boolean shutsDown;
    private boolean shutDown;
    private boolean outputLost;
    private boolean reset;
    private boolean closesWithPeer;

    Leg(TcpSession session, Worker worker, BudgetedReads reads) {
        this.session = session;
        this.worker = worker;
        this.reads = reads;
    }

    /** What it reads into. */
    BudgetedReads reads() {
        return reads;
    }

    /** Whether its peer has said that it sends no more. */
    boolean hasFinished() {
        return finished;
    }

    /** Whether its peer would hear what is sent to it now: not after a failed write, and perhaps not after a goodbye by TLS. */
    boolean takesMore() {
        return !deaf && !outputLost;
    }

    /** Whether its peer was told that no more comes, and got all before. */
    boolean isShutDown() {
        return shutDown;
    }

    /** Octets that it was given to send, and that the system has not taken yet. */
    long pendingBytes() {
        return marks == null ? 0 : marks.pendingBytes();
    }

    /** Octets that the system has taken since it began. */
    long takenBytes() {
        return marks == null ? 0 : marks.writtenBytes() - marks.pendingBytes();
    }

    boolean isWritable() {
        return !takesMore() || requireNonNull(channel).isWritable();
    }

    /** Queues {@code data}; consumes it. What piles up is flushed at once. */
    void write(ByteBuf data) {
        Channel to = requireNonNull(channel);
        requireNonNull(marks).beforeWrite(data.readableBytes());
        to.write(data, to.voidPromise());
        if (!to.isWritable()) {
            to.flush();
        }
    }

    void flush() {
        requireNonNull(channel).flush();
    }

    /** Stops or resumes reading from its peer, unless that has finished. */
    void reading(boolean on) {
        Channel from = requireNonNull(channel);
        if (!finished && from.isOpen()) {
            BudgetedReads.reading(from, on);
        }
    }

    /** Flushes and, once everything is out, tells the peer that no more will come. */
    void shutDownWhenFlushed() {
        whenFlushed(this::shutDownOutput);
    }

    /** The same where the session ends with it: the peer is told by closing. */
    void endWhenFlushed() {
        whenFlushed(this::told);
    }

    private void whenFlushed(Runnable end) {
        Channel to = requireNonNull(channel);
        if (isAllOut()) {
            end.run();
        } else if (deaf) { // TLS has said goodbye by itself; this comes behind it
            to.pipeline()
                    .firstContext()
                    .writeAndFlush(Unpooled.EMPTY_BUFFER)
                    .addListener(flushed -> endOutput(flushed, end));
        } else {
            to.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(flushed -> {
                if (flushed.isSuccess()) {
                    TlsEnd.sayGoodbye(to).addListener(goodbye -> endOutput(goodbye, end));
                }
            });
        }
    }

    private static void endOutput(Future<?> goodbye, Runnable end) {
        if (goodbye.isSuccess()) {
            end.run();
        }
    }

    private void shutDownOutput() {
        Channel to = requireNonNull(channel);
        shutsDown = true;
        if (TlsEnd.isSecured(to)) {
            ((DuplexChannel) to).shutdownOutput().addListener(done -> told()); // TLS may write afterwards
        } else {
            OutputShutdown.tell(to);
            told();
        }
    }

    /** One that is gone need not be told. */
    private void told() {
        shutDown = true;
        session.shutDown(this);
    }

    /** Whether there is nothing that it has still to send, be it of TLS. */
    boolean isAllOut() {
        return requireNonNull(marks).isAllOut() && !TlsEnd.isSecured(requireNonNull(channel));
    }

    /**
     * Says whether the end of what its peer sends is the end of the connection; without effect if it carries TLS. Where it is
     * not, Netty shuts down what the peer has ended, and makes an exception with its stack if our direction is at its end too.
     */
    void closeWithPeer(boolean with) {
        Channel of = requireNonNull(channel);
        if (closesWithPeer != with && !TlsEnd.isSecured(of)) {
            closesWithPeer = with;
            of.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, !with);
        }
    }

    /** Closes it, if it is there yet. */
    void close() {
        if (channel != null) {
            channel.close();
        }
    }

    /** Closes it with a reset, so that its peer sees that what it got is not whole. */
    void cut() {
        if (channel != null && channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            TlsEnd.cut(channel);
        }
    }

    /**
     * The same once the system has taken all that the peer was given, and without waiting if the peer takes no more.
     *
     * @param mostIdle how long the system may take nothing
     */
    void cutWhenFlushed(Duration mostIdle) {
        Channel to = channel;
        if (to == null || !takesMore() || isAllOut()) {
            cut();
            return;
        }
        Farewell farewell = new Farewell(mostIdle);
        farewell.extend();
        to.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(flushed -> {
            worker.deadlines().remove(farewell);
            cut();
        });
    }

    /** Ends the wait for a peer that takes nothing. */
    private final class Farewell extends DeadlineWheel.Deadline {

        private final Duration mostIdle;
        private long taken;

        Farewell(Duration mostIdle) {
            this.mostIdle = mostIdle;
        }

        void extend() {
            taken = takenBytes();
            worker.setDeadline(this, mostIdle);
        }

        @Override
        protected void expired(long nowNanos) {
            if (takenBytes() != taken) {
                extend();
            } else {
                cut();
            }
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        Channel added = ctx.channel();
        channel = added;
        LostOutput.keepsInput(added);
        marks = new OutputMarks(added, worker.transit());
        added.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        TlsEnd.allowHalfClosure(added);
        session.added(this, ctx);
    }

    /** It is connected, and the handshake is done if there was one. */
    void connected() {
        TlsEnd.allowHalfClosure(requireNonNull(channel));
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        session.removed(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf received = (ByteBuf) message;
        worker.readClock();
        readInRound += received.readableBytes();
        session.received(this, received);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reads.roundEnded(ctx.channel(), readInRound >= MUCH_BYTES);
        readInRound = 0;
        session.readComplete(this);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        session.writabilityChanged(this);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelOutputShutdownEvent.INSTANCE) {
            outputShutDown(ctx.channel());
            return;
        }
        boolean goodbye = event instanceof SslCloseCompletionEvent end && end.isSuccess();
        if ((goodbye || event == ChannelInputShutdownEvent.INSTANCE)
                && !finished
                && ctx.channel().isActive()) {
            if (reset && !goodbye) {
                ctx.close(); // the peer has not said that this is all
                return;
            }
            if (goodbye) {
                deaf = !TlsEnd.survivesGoodbye(ctx.channel());
                reading(true); // to see the connection end; there is nothing more to hold back
            }
            finished = true;
            session.finished(this);
            if (outputLost) {
                ctx.close(); // nothing is left to do on it
            }
        }
    }

    /**
     * The output has ended. If we did not end it, a write has failed: the peer gets nothing more, and what it sent before is
     * still read and passed on.
     */
    private void outputShutDown(Channel of) {
        if (shutsDown || outputLost) {
            return;
        }
        outputLost = true;
        reset |= TlsEnd.isSecured(of); // with TLS, only a goodbye is an end
        LostOutput.stopWriting(of);
        if (finished) {
            of.close();
        } else {
            session.writabilityChanged(this); // the other side is read on, and what it says is dropped
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (closesWithPeer && reads.hasReadEnd() && !reset) {
            finished = true;
            session.finished(this);
        }
        session.lost(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (BudgetedReads.isPause(cause)) {
            return;
        }
        if (LostOutput.isCause(cause)) {
            reset |= LostOutput.isReset(cause);
            return;
        }
        reset = true; // what may still tell of an end before it is closed does not mean one
        UnexpectedErrors.report(cause); // channelInactive does the rest
        ctx.close();
    }
}
