package io.ballast.dns.forward.upstream;

import io.ballast.net.timer.DeadlineWheel;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.net.SocketAddress;

/**
 * A connection to one server, with many questions on it, answered in whatever order. It stays until it has been idle for a while;
 * questions that are lost with it, just as the server ends it, are asked again on a new one. Event-loop confined.
 */
abstract class UpstreamConnection extends Lane {

    private final UpstreamProtocol protocol;
    private final Idle idle = new Idle();
    private boolean hasAnswered;
    private long receivedNanos;

    UpstreamConnection(UpstreamLoop loop, UpstreamServer server, UpstreamProtocol protocol) {
        super(loop, server);
        this.protocol = protocol;
        this.receivedNanos = loop.clock().now();
    }

    /** Begins to connect. */
    final void open(SocketAddress address, ChannelInitializer<Channel> handlers) {
        loop.count(UpstreamCounter.CONNECTIONS_OPENED);
        connecting(loop.transport()
                .connecting(new Bootstrap(), address)
                .group(loop.clock().eventLoop())
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0) // the attempts' deadlines cover it
                .handler(handlers)
                .connect());
    }

    /** Something came over it. */
    final void received() {
        receivedNanos = loop.clock().now();
    }

    /** Whether it has proved to lead somewhere. */
    @Override
    final boolean isReused() {
        return hasAnswered;
    }

    @Override
    int capacity() {
        return loop.settings().streams().outstandingPerConnection();
    }

    @Override
    final UpstreamCounter queries() {
        return switch (protocol) {
            case DOT -> UpstreamCounter.QUERIES_DOT;
            case DOH -> UpstreamCounter.QUERIES_DOH;
            default -> UpstreamCounter.QUERIES_TCP;
        };
    }

    @Override
    final void answered(Attempt attempt, byte[] message, int length) {
        hasAnswered = true;
        attempt.answer(message, length);
    }

    /** Nobody else can have sent it. */
    @Override
    final void mismatched(Attempt attempt) {
        attempt.fail(AttemptFailure.MALFORMED);
    }

    /** If nothing has come since, the other end may be gone without a word. */
    @Override
    final void timedOut(Attempt attempt) {
        if (receivedNanos - attempt.sentNanos() <= 0) {
            retire();
        }
    }

    /** An attempt will not be answered on it, as the server has told; others may be. */
    final void refused(Attempt attempt) {
        attempt.leave();
        if (attempt.takeRetry(/* unprocessed= */ true)) {
            loop.count(UpstreamCounter.RETRIED);
            server().send(attempt, protocol);
        } else {
            attempt.fail(AttemptFailure.RESET);
        }
    }

    /** A server may end a connection at any time, just as a question is on its way. */
    @Override
    final void lost(Attempt attempt, AttemptFailure why) {
        if (why == AttemptFailure.RESET && attempt.takeRetry(/* unprocessed= */ false)) {
            loop.count(UpstreamCounter.RETRIED);
            server().sendAnew(attempt, protocol);
        } else {
            attempt.fail(why);
        }
    }

    @Override
    final void emptied() {
        loop.clock().setDeadline(idle, loop.settings().streams().idle());
    }

    @Override
    void ended() {
        loop.clock().deadlines().remove(idle);
    }

    private final class Idle extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            if (outstanding() == 0) {
                retire();
            }
        }
    }
}
