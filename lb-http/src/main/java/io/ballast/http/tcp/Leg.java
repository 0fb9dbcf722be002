package io.ballast.http.tcp;

import static java.util.Objects.requireNonNull;

import io.ballast.http.net.UnexpectedErrors;
import io.ballast.http.net.Worker;
import io.ballast.net.budget.BudgetedReads;
import io.ballast.net.budget.OutputMarks;
import io.ballast.net.tls.TlsEnd;
import io.ballast.net.transport.OutputShutdown;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.concurrent.Future;
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
    private boolean shutDown;
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

    /** Whether its peer would hear what is sent to it now; one that has said goodbye by TLS may not. */
    boolean takesMore() {
        return !deaf;
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
        return deaf || requireNonNull(channel).isWritable();
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

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        Channel added = ctx.channel();
        channel = added;
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
        boolean goodbye = event instanceof SslCloseCompletionEvent end && end.isSuccess();
        if ((goodbye || event == ChannelInputShutdownEvent.INSTANCE)
                && !finished
                && ctx.channel().isActive()) {
            if (goodbye) {
                deaf = !TlsEnd.survivesGoodbye(ctx.channel());
                reading(true); // to see the connection end; there is nothing more to hold back
            }
            finished = true;
            session.finished(this);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (closesWithPeer && reads.hasReadEnd()) {
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
        UnexpectedErrors.report(cause); // channelInactive does the rest
        ctx.close();
    }
}
