package io.ballast.http.tcp;

import static java.util.Objects.requireNonNull;

import io.ballast.http.net.UnexpectedErrors;
import io.ballast.http.net.Worker;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.ballast.net.budget.OutputWatermarks;
import io.ballast.net.timer.DeadlineWheel;
import io.ballast.net.tls.TlsCloseHandler;
import io.ballast.net.transport.FailedWriteReader;
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
 * One of the two connections of a session: the client's or the backend's. Either peer may finish sending while the
 * other continues. Event-loop confined.
 */
final class RelayChannel extends ChannelInboundHandlerAdapter {

    /** A read loop that returned this many bytes is likely to be followed by another. */
    private static final int LARGE_READ_BYTES = 4 * 1024;

    private final TcpSession session;
    private final Worker worker;
    private final BudgetedRecvByteBufAllocator readAllocator;
    private @Nullable Channel channel;
    private @Nullable OutputWatermarks marks;
    private int bytesReadInRound;
    private long receivedBytes;
    private boolean finished;
    private boolean peerInputClosed;
    private boolean shutdownStarted;
    private boolean shutDown;
    private boolean outputLost;
    private boolean endsAbnormally;
    private boolean closesWithPeer;

    RelayChannel(TcpSession session, Worker worker, BudgetedRecvByteBufAllocator reads) {
        this.session = session;
        this.worker = worker;
        this.readAllocator = reads;
    }

    /** The buffer allocator for reads. */
    BudgetedRecvByteBufAllocator readAllocator() {
        return readAllocator;
    }

    /** Whether the peer has finished sending. */
    boolean hasFinished() {
        return finished;
    }

    /**
     * Whether the peer can still receive data: false after a failed write, and possibly after a TLS
     * {@code close_notify}.
     */
    boolean canPeerReceive() {
        return !peerInputClosed && !outputLost;
    }

    /** Whether the output was shut down after all data was sent. */
    boolean isShutDown() {
        return shutDown;
    }

    /** Bytes written to this channel that the system has not accepted yet. */
    long pendingBytes() {
        return marks == null ? 0 : marks.pendingBytes();
    }

    /** Bytes that the system has accepted since the start. */
    private long acceptedBytes() {
        return marks == null ? 0 : marks.writtenBytes() - marks.pendingBytes();
    }

    /** Bytes received from the peer plus bytes accepted by the operating system, since the connection began. */
    long movedBytes() {
        return receivedBytes + acceptedBytes();
    }

    boolean isWritable() {
        return !canPeerReceive() || requireNonNull(channel).isWritable();
    }

    /** Queues {@code data}; consumes it. Flushes immediately when the channel is no longer writable. */
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

    /** Stops or resumes reading from the peer, unless the peer has finished sending. */
    void setReading(boolean on) {
        Channel from = requireNonNull(channel);
        if (!finished && from.isOpen()) {
            BudgetedRecvByteBufAllocator.setReading(from, on);
        }
    }

    /** Flushes, and shuts down the output once everything is sent. */
    void shutDownWhenFlushed() {
        whenFlushed(this::shutDownOutput);
    }

    /**
     * Like {@link #shutDownWhenFlushed}, but used at the end of the session: the connection is closed instead of
     * only its output.
     */
    void endWhenFlushed() {
        whenFlushed(this::outputShutdownDone);
    }

    private void whenFlushed(Runnable end) {
        Channel to = requireNonNull(channel);
        if (isFullySent()) {
            end.run();
        } else if (peerInputClosed) { // the TLS handler has already sent close_notify; this flush completes after it
            to.pipeline()
                    .firstContext()
                    .writeAndFlush(Unpooled.EMPTY_BUFFER)
                    .addListener(flushed -> endOutput(flushed, end));
        } else {
            to.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(flushed -> {
                if (flushed.isSuccess()) {
                    TlsCloseHandler.sendCloseNotify(to).addListener(closeNotify -> endOutput(closeNotify, end));
                }
            });
        }
    }

    private static void endOutput(Future<?> closeNotify, Runnable end) {
        if (closeNotify.isSuccess()) {
            end.run();
        }
    }

    private void shutDownOutput() {
        Channel to = requireNonNull(channel);
        shutdownStarted = true;
        if (TlsCloseHandler.isSecured(to)) {
            ((DuplexChannel) to)
                    .shutdownOutput()
                    .addListener(done -> outputShutdownDone()); // afterwards, Netty fails writes of the TLS handler
        } else {
            OutputShutdown.shutDownOutput(to);
            outputShutdownDone();
        }
    }

    /** Records that the output is shut down. Also called if the peer is already gone. */
    private void outputShutdownDone() {
        shutDown = true;
        session.shutDown(this);
    }

    /** Whether the kernel has accepted all data for the peer; always false with TLS. */
    boolean isFullySent() {
        return requireNonNull(marks).isFlushed() && !TlsCloseHandler.isSecured(requireNonNull(channel));
    }

    /**
     * Sets whether the connection closes when the peer ends its output; no effect with TLS. Without this setting, Netty
     * shuts down only the input at that time. If our output has already ended, Netty also creates an exception with a
     * stack trace, which is slow.
     */
    void closeWithPeer(boolean with) {
        Channel of = requireNonNull(channel);
        if (closesWithPeer != with && !TlsCloseHandler.isSecured(of)) {
            closesWithPeer = with;
            of.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, !with);
        }
    }

    /** Closes the connection, if it exists yet. */
    void close() {
        if (channel != null) {
            channel.close();
        }
    }

    /** Closes the connection with a reset, so that the peer detects that the data is incomplete. */
    void abort() {
        if (channel != null && channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            TlsCloseHandler.closeWithoutNotify(channel);
        }
    }

    /**
     * Resets the connection like {@link #abort}, but only after the system has accepted all data for the peer.
     * Resets it immediately if the peer can receive no more data.
     *
     * @param maxIdle the maximum time without progress; after it, the connection is reset anyway
     */
    void abortWhenFlushed(Duration maxIdle) {
        Channel to = channel;
        if (to == null || !canPeerReceive() || isFullySent()) {
            abort();
            return;
        }
        FlushDeadline deadline = new FlushDeadline(maxIdle);
        deadline.extend();
        to.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(flushed -> {
            worker.deadlines().remove(deadline);
            abort();
        });
    }

    /** Limits the time that {@link #abortWhenFlushed} waits while the peer accepts no data. */
    private final class FlushDeadline extends DeadlineWheel.Deadline {

        private final Duration maxIdle;
        private long previousAcceptedBytes;

        FlushDeadline(Duration maxIdle) {
            this.maxIdle = maxIdle;
        }

        void extend() {
            previousAcceptedBytes = acceptedBytes();
            worker.setDeadline(this, maxIdle);
        }

        @Override
        protected void expired(long nowNanos) {
            if (acceptedBytes() != previousAcceptedBytes) {
                extend();
            } else {
                abort();
            }
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        Channel added = ctx.channel();
        channel = added;
        FailedWriteReader.keepOpenAfterFailedWrite(added);
        marks = new OutputWatermarks(added, worker.transit());
        added.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        TlsCloseHandler.allowHalfClosure(added);
        session.added(this, ctx);
    }

    /** Called when the connection is established, after the TLS handshake if there is one. */
    void connected() {
        TlsCloseHandler.allowHalfClosure(requireNonNull(channel));
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        session.channelRemoved(this);
        worker.descriptors().freed();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf received = (ByteBuf) message;
        worker.readClock();
        bytesReadInRound += received.readableBytes();
        receivedBytes += received.readableBytes();
        session.received(this, received);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        readAllocator.endReadLoop(ctx.channel(), bytesReadInRound >= LARGE_READ_BYTES);
        bytesReadInRound = 0;
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
        boolean closeNotify = event instanceof SslCloseCompletionEvent end && end.isSuccess();
        if ((closeNotify || event == ChannelInputShutdownEvent.INSTANCE)
                && !finished
                && ctx.channel().isActive()) {
            if (endsAbnormally && !closeNotify) {
                ctx.close(); // an abnormal end: the peer has not finished sending
                return;
            }
            if (closeNotify) {
                peerInputClosed = !TlsCloseHandler.canSendAfterCloseNotify(ctx.channel());
                setReading(true); // reading detects when the peer closes the connection; no more data can follow
            }
            finished = true;
            session.finished(this);
            if (outputLost) {
                ctx.close(); // both directions have ended
            }
        }
    }

    /**
     * Called when the output has been shut down. Unless this object has shut it down, a write has failed. The peer then
     * receives no more data, but the data that it has already sent is still read and forwarded.
     */
    private void outputShutDown(Channel of) {
        if (shutdownStarted || outputLost) {
            return;
        }
        outputLost = true;
        endsAbnormally |= TlsCloseHandler.isSecured(of); // abnormal for TLS: our close_notify cannot be sent
        FailedWriteReader.stopWriting(of);
        if (finished) {
            of.close();
        } else {
            session.writabilityChanged(this); // resume reading from the other peer; its data is dropped
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (closesWithPeer && readAllocator.isInputEnded() && !endsAbnormally) {
            finished = true;
            session.finished(this);
        }
        session.connectionLost(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (BudgetedRecvByteBufAllocator.isPause(cause)) {
            return;
        }
        if (FailedWriteReader.isFailedWrite(cause)) {
            endsAbnormally |= FailedWriteReader.isReset(cause);
            return;
        }
        endsAbnormally = true; // if an end-of-input event follows this error, it does not mark the real end of the data
        UnexpectedErrors.report(cause); // the close triggers channelInactive, which notifies the session
        ctx.close();
    }
}
