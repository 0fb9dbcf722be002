package io.ballast.dns.net.stream;

import io.ballast.dns.answer.AnswerResult;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.forward.Deferral;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.net.clientlimit.ConnectionsPerClient;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.DecoderException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection of any stream protocol, with its client and its deadlines. It is the first handler in the
 * connection's pipeline. Later handlers read messages. They report the start and the answer of each message.
 *
 * <p>Thread safety: confined to the connection's event loop.
 */
public final class StreamConnection extends ChannelInboundHandlerAdapter {

    /** Interval for checking whether a closing connection is idle. */
    private static final long RETIREMENT_MILLIS = 20;

    private final StreamLoop loop;
    private final StreamService service;
    private final DeadlineWheel.Deadline deadline = new Deadline();
    private @Nullable ChannelHandlerContext context;
    private @Nullable InetSocketAddress client;
    /**
     * The per-client counter that includes this connection. It is null before the client is known, and if a reload
     * reduced the limit and this connection exceeds it.
     */
    private @Nullable ConnectionsPerClient connectionCounter;

    private boolean isAdmitted;
    /** The time of the last read from the socket. */
    private long readNanos;

    private long answeredNanos;
    private boolean started;
    private long startNanos;
    private boolean blocked;
    private long blockedNanos;
    private int deferred;

    // Links of the event loop's list of connections.
    @Nullable StreamConnection previous;

    @Nullable StreamConnection next;

    StreamConnection(StreamLoop loop, StreamService service) {
        this.loop = loop;
        this.service = service;
        this.answeredNanos = loop.now();
    }

    /**
     * Sets the client. If the client has reached its connection limit, counts the rejected connection and
     * returns false.
     */
    boolean admitClient(InetSocketAddress address) {
        if (!loop.connectionsPerClient().admit(address.getAddress())) {
            loop.answerLoop().count(DnsCounter.CLIENT_LIMIT);
            return false;
        }
        client = address;
        connectionCounter = loop.connectionsPerClient();
        return true;
    }

    /** Returns the settings of this connection. */
    StreamService service() {
        return service;
    }

    /** Called when new limits have been activated. */
    void onLimitsChanged() {
        if (client != null && connectionCounter != loop.connectionsPerClient()) {
            releaseClientCount();
            connectionCounter =
                    loop.connectionsPerClient().admit(client.getAddress()) ? loop.connectionsPerClient() : null;
        }
        scheduleTimeoutCheck();
    }

    private void releaseClientCount() {
        if (client != null && connectionCounter != null) {
            connectionCounter.release(client.getAddress());
            connectionCounter = null;
        }
    }

    /**
     * Answers a query of {@code length} bytes in {@code content}, which is borrowed.
     *
     * @param deferral callback for a deferred answer, which must call {@link #deferred} and create the reply path
     * @return after {@link AnswerResult#RESPONSE}, the first {@link #responseLength} bytes of {@link #response} are the
     *     response
     */
    public AnswerResult answer(ByteBuf content, int length, Transport transport, Deferral deferral) {
        InetSocketAddress clientAddress =
                Objects.requireNonNull(client, "a message was received before the client address was known");
        return loop.answerLoop()
                .answer(
                        content,
                        length,
                        clientAddress.getAddress(),
                        clientAddress.getPort(),
                        readNanos,
                        transport,
                        deferral);
    }

    /** Returns the last response; it is valid until the next call of {@link #answer}. */
    public byte[] response() {
        return loop.answerLoop().response();
    }

    /** Returns the length of the last response in bytes. */
    public int responseLength() {
        return loop.answerLoop().responseLength();
    }

    public void count(DnsCounter counter) {
        loop.answerLoop().count(counter);
    }

    /** Counts an error. Logs it only if it is a defect of the server, not if the client sent invalid data. */
    public void recordError(Throwable cause) {
        boolean ofTls = cause instanceof DecoderException && cause.getCause() instanceof SSLException;
        if (!ofTls) {
            loop.answerLoop().recordError(cause);
        }
    }

    /**
     * Called when a part of a message, or of a header in front of it, has arrived. From this time on, a time
     * limit applies to the rest of the message.
     */
    public void started() {
        if (!started) {
            started = true;
            startNanos = loop.now();
            scheduleTimeoutCheck();
        }
    }

    /** Called when a message other than a query is complete. */
    public void onMessageComplete() {
        started = false;
    }

    /**
     * Called when a query was answered and no other query has started. The timer of the timeout check is not
     * changed here: when it fires, it is set again for the later deadline.
     */
    public void onQueryAnswered() {
        started = false;
        answeredNanos = loop.now();
        if (isAdmitted) {
            loop.markActive(this);
        }
    }

    /**
     * Called when a query is complete and its answer is deferred. The connection is not idle until {@link
     * #onDeferredAnswer}.
     */
    public void deferred() {
        deferred++;
        onQueryAnswered();
    }

    /** Called when a deferred answer has arrived, even if the client has disconnected. */
    public void onDeferredAnswer() {
        deferred--;
        answeredNanos = loop.now();
        if (isAdmitted) {
            loop.markActive(this);
        }
    }

    /** The number of deferred replies. */
    public int outstandingCount() {
        return deferred;
    }

    /** Sets whether responses wait until the client has read earlier ones. */
    public void blocked(boolean waiting) {
        if (waiting && !blocked) {
            blockedNanos = loop.now();
            blocked = true;
            scheduleTimeoutCheck();
        }
        blocked = waiting;
    }

    /** Records the time of the read and passes the message to the next handler. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        readNanos = loop.answerLoop().readClock();
        ctx.fireChannelRead(message);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        isAdmitted = true;
        count(DnsCounter.CONNECTIONS);
        loop.open(this);
        scheduleTimeoutCheck();
        if (service.isRetired()) {
            retire(); // the service was retired before this connection was added to it
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        removeFromLoop();
        count(DnsCounter.CONNECTIONS_CLOSED);
        releaseClientCount();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        blocked(!ctx.channel().isWritable());
        ctx.fireChannelWritabilityChanged();
    }

    /** Schedules the next timeout check of the connection. */
    private void scheduleTimeoutCheck() {
        if (!isAdmitted) {
            return;
        }
        long due = (deferred > 0 ? loop.now() : answeredNanos) + loop.idleNanos();
        if (started) {
            due = earlierNanos(due, startNanos + loop.messageNanos());
        }
        if (blocked) {
            due = earlierNanos(due, blockedNanos + loop.messageNanos());
        }
        loop.deadlines().set(deadline, due);
    }

    private static long earlierNanos(long oneNanos, long otherNanos) {
        return oneNanos - otherNanos < 0 ? oneNanos : otherNanos;
    }

    private void closeIfTimedOut(long now) {
        boolean idle = deferred == 0 && now - answeredNanos >= loop.idleNanos();
        if ((blocked && now - blockedNanos >= loop.messageNanos()) || (idle && hasUnsentResponses())) {
            abort(DnsCounter.SLOW_READER);
        } else if (started && now - startNanos >= loop.messageNanos()) {
            abort(DnsCounter.SLOW_SENDER);
        } else if (idle) {
            closeIdle();
        } else {
            scheduleTimeoutCheck();
        }
    }

    private boolean hasUnsentResponses() {
        Channel channel = context().channel();
        return channel.bytesBeforeUnwritable() < channel.config().getWriteBufferHighWaterMark();
    }

    /**
     * Closes the connection immediately and counts the reason. The close starts at the first handler, so that TLS
     * and HTTP/2 do not wait for the client. A client that does not read gets a reset, so that the system keeps
     * no unsent data.
     */
    void abort(DnsCounter why) {
        Channel channel = context().channel();
        if (why == DnsCounter.SLOW_READER && channel.isActive()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        count(why);
        close();
    }

    /** Closes the connection immediately. */
    void close() {
        removeFromLoop();
        context().close();
    }

    private void closeIdle() {
        count(DnsCounter.IDLE);
        removeFromLoop();
        context().channel().close();
    }

    /**
     * Closes the connection as soon as all its queries have been answered, and at the latest after the time
     * limit of a message.
     */
    void retire() {
        closeWhenIdle(loop.now() + loop.messageNanos(), /* answeredBefore= */ answeredNanos - 1);
    }

    private void closeWhenIdle(long latestNanos, long answeredBefore) {
        if (!isAdmitted) {
            return;
        }
        boolean quiet =
                !started && !blocked && deferred == 0 && !hasUnsentResponses() && answeredNanos == answeredBefore;
        if (quiet || loop.now() - latestNanos >= 0) {
            removeFromLoop();
            context().channel().close();
            return;
        }
        long answered = answeredNanos;
        context()
                .executor()
                .schedule(() -> closeWhenIdle(latestNanos, answered), RETIREMENT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void removeFromLoop() {
        if (isAdmitted) {
            isAdmitted = false;
            loop.deadlines().remove(deadline);
            loop.removeConnection(this);
        }
    }

    private ChannelHandlerContext context() {
        if (context == null) {
            throw new IllegalStateException("the handler is not in a pipeline");
        }
        return context;
    }

    private final class Deadline extends DeadlineWheel.Deadline {

        @Override
        protected void expired(long nowNanos) {
            closeIfTimedOut(nowNanos);
        }
    }
}
