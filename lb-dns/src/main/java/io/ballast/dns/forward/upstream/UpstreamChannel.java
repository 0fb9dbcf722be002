package io.ballast.dns.forward.upstream;

import io.ballast.dns.wire.Wire;
import io.ballast.net.listen.FileDescriptorReserve;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/**
 * A socket to one server, with its pending queries. Queries that are sent before the socket is connected are
 * written after the connect. A retired socket accepts no new queries, and is closed after its last pending
 * query.
 *
 * <p>Event-loop confined.
 */
abstract class UpstreamChannel extends ChannelInboundHandlerAdapter {

    final UpstreamLoop loop;
    private final UpstreamServer server;
    private final IdTable ids = new IdTable();
    private @Nullable Channel channel;
    private boolean lacksDescriptor;
    private boolean ready;
    private boolean flushScheduled;
    private boolean retired;
    private boolean closed;

    UpstreamChannel(UpstreamLoop loop, UpstreamServer server) {
        this.loop = loop;
        this.server = server;
        server.onOpened(this);
    }

    /** Returns the maximum number of outstanding queries. */
    abstract int capacity();

    abstract UpstreamCounter queryCounter();

    /** Returns the query of an attempt, encoded for this channel. The caller releases the returned object. */
    abstract Object encode(Channel channel, Attempt attempt);

    /** Handles a response that answers an attempt. */
    abstract void onAnswer(Attempt attempt, byte[] message, int length);

    /** Handles a response that answers an attempt, except that the letter case of the name differs. */
    abstract void onOtherCaseResponse(Attempt attempt, byte[] message, int length);

    /** Sends an attempt to the same server again, after its query was changed. */
    abstract void resend(Attempt attempt);

    /** Handles a message that has the id of an attempt but does not answer its question. */
    abstract void onMismatch(Attempt attempt);

    /** Whether the server may have closed the connection just before a question is sent on it. */
    boolean isReused() {
        return false;
    }

    /** Called when an attempt has been removed from the channel. A later response to it is discarded. */
    void onReleased(int id) {}

    /** Called when the channel has no outstanding query any more. */
    void onIdle() {}

    /** Called when a query has been sent, or waits for the connection. */
    void onSent() {}

    /** Fails a pending attempt after the channel was closed. */
    void onLost(Attempt attempt, AttemptFailure failure) {
        attempt.fail(failure);
    }

    /** Called when an attempt on the channel has timed out. */
    void onTimeout(Attempt attempt) {}

    final UpstreamServer server() {
        return server;
    }

    final boolean isRetired() {
        return retired;
    }

    final int outstandingCount() {
        return ids.size();
    }

    final boolean hasCapacity() {
        return !retired && ids.size() < capacity();
    }

    /** Sends a question. The channel must have capacity for it. */
    final void send(Attempt attempt) {
        attempt.assignChannel(this, ids.add(attempt, loop.random()), isReused());
        if (ready) {
            write(attempt);
        }
        onSent();
    }

    private void write(Attempt attempt) {
        Channel target = channel;
        if (target == null || closed) {
            return;
        }
        loop.count(queryCounter());
        target.write(encode(target, attempt), target.voidPromise());
        scheduleFlush();
    }

    /** Schedules a flush at the end of the current event of the event loop. */
    final void scheduleFlush() {
        if (!flushScheduled) {
            flushScheduled = true;
            loop.flushLater(this);
        }
    }

    final void flush() {
        flushScheduled = false;
        if (channel != null && !closed) {
            channel.flush();
        }
    }

    /**
     * Whether the process had no file descriptor for this socket. Such a channel must not be used; it ends by itself.
     * The result is known as soon as the channel has been created.
     */
    final boolean lacksDescriptor() {
        return lacksDescriptor;
    }

    /** Reports the result of {@code connect} on the event loop when the connect completes. */
    final void awaitConnect(ChannelFuture connect) {
        channel = connect.channel();
        Throwable cause = connect.cause(); // Netty creates the socket before it returns the future
        lacksDescriptor = cause != null && FileDescriptorReserve.isDescriptorExhaustion(cause);
        connect.addListener(done -> {
            if (loop.frontendLoop().eventLoop().inEventLoop()) {
                onConnected(connect);
            } else {
                loop.frontendLoop().eventLoop().execute(() -> onConnected(connect)); // the connect created no channel
            }
        });
    }

    private void onConnected(ChannelFuture done) {
        Throwable cause = done.cause();
        if (closed && cause == null) {
            done.channel().close();
        } else if (cause == null) {
            onConnected();
        } else {
            loop.frontendLoop().readClock();
            end(lacksDescriptor ? AttemptFailure.NO_DESCRIPTORS : SocketFailure.of(cause));
        }
    }

    /** Called when the channel is connected. */
    void onConnected() {
        ready();
    }

    /** Sends the waiting queries; later queries are sent immediately. */
    final void ready() {
        ready = true;
        ids.all().forEach(this::write);
    }

    /** Processes a received message. The caller keeps the ownership of {@code message} and releases it. */
    final void receive(ByteBuf message) {
        int length = loop.receive(message);
        byte[] bytes = loop.receiveBuffer();
        Attempt attempt = length < Wire.HEADER_BYTES ? null : ids.get(Wire.u16(bytes, 0));
        if (attempt == null) {
            loop.count(UpstreamCounter.MISMATCHED);
        } else if (attempt.query().isAnsweredBy(bytes, length)) {
            handleResponse(attempt, bytes, length);
        } else if (attempt.query().isAnsweredInOtherCaseBy(bytes, length)) {
            onOtherCaseResponse(attempt, bytes, length);
        } else {
            loop.count(UpstreamCounter.MISMATCHED);
            onMismatch(attempt);
        }
    }

    final void handleResponse(Attempt attempt, byte[] message, int length) {
        if (attempt.tryOtherForm(message, length)) {
            resendRewritten(attempt);
        } else {
            onAnswer(attempt, message, length);
        }
    }

    private void resendRewritten(Attempt attempt) {
        attempt.leaveChannel();
        loop.count(UpstreamCounter.REWRITTEN);
        resend(attempt);
    }

    /**
     * Repeats the question in lower case after a response in which the name has another letter case. On a
     * transport where responses can be forged, such a response suggests an attack.
     */
    final void retryInLowerCase(Attempt attempt) {
        loop.count(UpstreamCounter.MISMATCHED);
        if (attempt.tryLowerCase()) {
            resendRewritten(attempt);
        } else {
            onMismatch(attempt);
        }
    }

    /** Removes an attempt from the channel. */
    final void release(int id) {
        ids.remove(id);
        if (closed) {
            return;
        }
        onReleased(id);
        if (ids.isEmpty()) {
            if (retired) {
                end(AttemptFailure.RESET);
            } else {
                onIdle();
            }
        }
    }

    /** Stops the channel from accepting new queries. */
    final void retire() {
        retired = true;
        if (ids.isEmpty()) {
            end(AttemptFailure.RESET);
        }
    }

    /** Closes the channel and fails its pending attempts. */
    final void end(AttemptFailure failure) {
        if (closed) {
            return;
        }
        closed = true;
        retired = true;
        server.onClosed(this);
        onClosed();
        if (channel != null && channel.isRegistered()) { // otherwise the channel never got a file descriptor
            channel.close();
        }
        for (Attempt attempt : ids.drain()) {
            if (!attempt.isEnded()) {
                onLost(attempt, failure);
            }
        }
    }

    /** Called before the channel is closed. */
    void onClosed() {}

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        loop.frontendLoop().readClock();
        end(AttemptFailure.RESET);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        loop.frontendLoop().readClock();
        if (SocketFailure.isDefect(cause)) {
            loop.reportError(cause);
        }
        end(SocketFailure.of(cause));
    }
}
