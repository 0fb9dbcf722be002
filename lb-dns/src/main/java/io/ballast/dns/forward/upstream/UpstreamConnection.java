package io.ballast.dns.forward.upstream;

import io.ballast.net.timer.DeadlineWheel;
import io.ballast.net.transport.NettyTransport;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.net.SocketAddress;
import java.time.Duration;

/**
 * A connection to one server that carries concurrent queries. It is closed after an idle time. If the server
 * closes it, unanswered queries are sent again on a new connection.
 *
 * <p>If the peer becomes unreachable, the operating system does not close the connection, so a timeout
 * detects this. If no data arrives for {@link UpstreamSettings#silenceTimeout} after a query was sent, new
 * queries use a new connection. This applies even if the sent query was cancelled. If the connection had
 * answered before, its outstanding queries move to the new one.
 *
 * <p>Event-loop confined.
 */
abstract class UpstreamConnection extends UpstreamChannel {

    private static final long NO_UNANSWERED_QUERY = 0;

    private final UpstreamProtocol protocol;
    private final Idle idleTimer = new Idle();
    private final Silence silenceTimer = new Silence();
    private boolean hasAnswered;
    private long lastReadNanos;
    /** Send time of the first query since the last received data; {@link #NO_UNANSWERED_QUERY} if there is none. */
    private long unansweredSinceNanos = NO_UNANSWERED_QUERY;

    UpstreamConnection(UpstreamLoop loop, UpstreamServer server, UpstreamProtocol protocol) {
        super(loop, server);
        this.protocol = protocol;
        this.lastReadNanos = loop.frontendLoop().now();
    }

    /** Starts to connect. */
    final void open(SocketAddress address, ChannelInitializer<Channel> handlers) {
        loop.count(UpstreamCounter.CONNECTIONS_OPENED);
        NettyTransport transport = loop.transport();
        awaitConnect(transport
                .limitUnacknowledged(transport.configureConnect(new Bootstrap(), address), tcpUserTimeout())
                .group(loop.frontendLoop().eventLoop())
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0) // attempts' deadlines include the time to connect
                .handler(handlers)
                .connect());
    }

    /**
     * Returns the TCP user timeout: twice the silence timeout, so that our own deadline expires first. The
     * operating system then discards undeliverable data earlier than after its default of about 15 minutes.
     */
    private Duration tcpUserTimeout() {
        return loop.settings().silenceTimeout().multipliedBy(2);
    }

    /** Returns the handler that records when data was last received; this handler is placed before all decoders. */
    final ChannelInboundHandlerAdapter activityHandler() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                lastReadNanos = loop.frontendLoop().readClock();
                unansweredSinceNanos = NO_UNANSWERED_QUERY;
                ctx.fireChannelRead(message);
            }
        };
    }

    @Override
    final void onSent() {
        if (unansweredSinceNanos == NO_UNANSWERED_QUERY) {
            unansweredSinceNanos = loop.frontendLoop().now();
            loop.frontendLoop().setDeadline(silenceTimer, probeDelay());
        }
    }

    /** Returns the time without data after which the connection is probed. */
    private Duration probeDelay() {
        return loop.settings().silenceTimeout().dividedBy(2);
    }

    /** Called when no data has arrived for half of the silence timeout. */
    void probe() {}

    /** Whether the server has answered on this connection before. */
    @Override
    final boolean isReused() {
        return hasAnswered;
    }

    @Override
    int capacity() {
        return loop.settings().streams().outstandingPerConnection();
    }

    @Override
    final UpstreamCounter queryCounter() {
        return switch (protocol) {
            case DOT -> UpstreamCounter.QUERIES_DOT;
            case DOH -> UpstreamCounter.QUERIES_DOH;
            default -> UpstreamCounter.QUERIES_TCP;
        };
    }

    @Override
    final void onAnswer(Attempt attempt, byte[] message, int length) {
        hasAnswered = true;
        attempt.complete(message, length);
    }

    /**
     * Accepts the response. Responses on a connection cannot be forged, so the letter case of the name is
     * irrelevant.
     */
    @Override
    final void onOtherCaseResponse(Attempt attempt, byte[] message, int length) {
        handleResponse(attempt, message, length);
    }

    @Override
    final void resend(Attempt attempt) {
        hasAnswered = true;
        server().send(attempt, protocol);
    }

    /** Fails the attempt: only the server can have sent the message, because the transport is a connection. */
    @Override
    final void onMismatch(Attempt attempt) {
        attempt.fail(AttemptFailure.MALFORMED);
    }

    /** Retires the connection if no data has arrived since the query was sent: the peer may be unreachable. */
    @Override
    final void onTimeout(Attempt attempt) {
        if (lastReadNanos - attempt.sentNanos() <= 0) {
            retire();
        }
    }

    /**
     * Called when the server has announced that it will not answer this attempt on this connection; it may answer
     * other attempts.
     */
    final void onRefused(Attempt attempt) {
        attempt.leaveChannel();
        if (attempt.tryRetry(/* isUnprocessed= */ true)) {
            loop.count(UpstreamCounter.RETRIED);
            server().send(attempt, protocol);
        } else {
            attempt.fail(AttemptFailure.RESET);
        }
    }

    /**
     * Retries the attempt, because a server may close a connection at any time, even while a question is in
     * flight.
     */
    @Override
    final void onLost(Attempt attempt, AttemptFailure failure) {
        if (failure == AttemptFailure.RESET && attempt.tryRetry(/* isUnprocessed= */ false)) {
            loop.count(UpstreamCounter.RETRIED);
            server().sendOnNewConnection(attempt, protocol);
        } else {
            attempt.fail(failure);
        }
    }

    @Override
    final void onIdle() {
        loop.frontendLoop().setDeadline(idleTimer, loop.settings().streams().idleTimeout());
    }

    @Override
    void onClosed() {
        loop.frontendLoop().deadlines().remove(idleTimer);
        loop.frontendLoop().deadlines().remove(silenceTimer);
    }

    private final class Idle extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            if (outstandingCount() == 0) {
                retire();
            }
        }
    }

    private final class Silence extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            if (unansweredSinceNanos == NO_UNANSWERED_QUERY) {
                return;
            }
            long limit = loop.settings().silenceTimeout().toNanos();
            long silent = nowNanos - unansweredSinceNanos;
            if (silent < limit) {
                if (silent >= limit / 2) {
                    probe();
                }
                loop.frontendLoop()
                        .deadlines()
                        .set(this, unansweredSinceNanos + (silent < limit / 2 ? limit / 2 : limit));
                return;
            }
            loop.count(UpstreamCounter.SILENT);
            if (hasAnswered) {
                end(AttemptFailure.RESET);
            } else {
                retire(); // the server may only be slow: it may still answer the outstanding queries
            }
        }
    }
}
