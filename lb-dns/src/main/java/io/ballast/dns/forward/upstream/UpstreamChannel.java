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
 * A socket to one server, with its pending questions. Queries that are sent before it is connected are written after
 * the connect. A retired socket accepts no questions, and is closed after the last pending one.
 *
 * <p>Event-loop confined.
 */
abstract class UpstreamChannel extends ChannelInboundHandlerAdapter {

    final UpstreamLoop loop;
    private final UpstreamServer server;
    private final IdTable ids = new IdTable();
    private @Nullable Channel channel;
    private boolean ready;
    private boolean written;
    private boolean retired;
    private boolean over;

    UpstreamChannel(UpstreamLoop loop, UpstreamServer server) {
        this.loop = loop;
        this.server = server;
        server.opened(this);
    }

    /** Most questions outstanding at a time. */
    abstract int capacity();

    abstract UpstreamCounter queries();

    /** Returns the query in the form of this channel; the caller releases it. */
    abstract Object encode(Channel to, Attempt attempt);

    /** A response that answers an attempt is there. */
    abstract void answered(Attempt attempt, byte[] message, int length);

    /** A response answers an attempt except for the case of the name. */
    abstract void respondedInOtherCase(Attempt attempt, byte[] message, int length);

    /** Sends a rewritten attempt to the same server. */
    abstract void resend(Attempt attempt);

    /** A message came under the id of an attempt that it does not answer. */
    abstract void mismatched(Attempt attempt);

    /** Whether a question that is sent now may find that the server has just ended the connection. */
    boolean isReused() {
        return false;
    }

    /** An attempt has left the channel; if its answer has not arrived, it is not needed any more. */
    void released(int id) {}

    /** Removes all outstanding questions. */
    void emptied() {}

    /** A query has been sent, or waits for the connection to be ready. */
    void sent() {}

    /** Fails a pending attempt after the channel was closed. */
    void lost(Attempt attempt, AttemptFailure why) {
        attempt.fail(why);
    }

    /** An attempt on the channel has timed out. */
    void timedOut(Attempt attempt) {}

    final UpstreamServer server() {
        return server;
    }

    final boolean isRetired() {
        return retired;
    }

    final int outstanding() {
        return ids.size();
    }

    final boolean hasCapacity() {
        return !retired && ids.size() < capacity();
    }

    /** Sends a question. There is room for it. */
    final void send(Attempt attempt) {
        attempt.enter(this, ids.add(attempt, loop.random()), isReused());
        if (ready) {
            write(attempt);
        }
        sent();
    }

    private void write(Attempt attempt) {
        Channel to = channel;
        if (to == null || over) {
            return;
        }
        loop.count(queries());
        to.write(encode(to, attempt), to.voidPromise());
        flushSoon();
    }

    /** Flushes at the end of the current event. */
    final void flushSoon() {
        if (!written) {
            written = true;
            loop.flushLater(this);
        }
    }

    final void flush() {
        written = false;
        if (channel != null && !over) {
            channel.flush();
        }
    }

    /** Connects, and reports the result on the event loop. */
    final void connecting(ChannelFuture connect) {
        channel = connect.channel();
        connect.addListener(done -> {
            if (loop.clock().eventLoop().inEventLoop()) {
                connected(connect);
            } else {
                loop.clock().eventLoop().execute(() -> connected(connect)); // there is no channel then
            }
        });
    }

    private void connected(ChannelFuture done) {
        Throwable cause = done.cause();
        if (over && cause == null) {
            done.channel().close();
        } else if (cause == null) {
            connected();
        } else {
            loop.clock().readClock();
            end(failure(cause));
        }
    }

    /** Handles the end of the connect. */
    void connected() {
        ready();
    }

    /** Queries can be sent from now on. */
    final void ready() {
        ready = true;
        ids.all().forEach(this::write);
    }

    private AttemptFailure failure(Throwable cause) {
        if (FileDescriptorReserve.areExhausted(cause)) {
            FileDescriptorReserve.ofProcess().exhausted("connect to " + server.backend());
            return AttemptFailure.NO_DESCRIPTORS;
        }
        return SocketFailure.of(cause);
    }

    /** Judges a message that came in, which it borrows. */
    final void receive(ByteBuf message) {
        int length = loop.receive(message);
        byte[] bytes = loop.received();
        Attempt attempt = length < Wire.HEADER_BYTES ? null : ids.get(Wire.u16(bytes, 0));
        if (attempt == null) {
            loop.count(UpstreamCounter.MISMATCHED);
        } else if (attempt.query().isAnsweredBy(bytes, length)) {
            responded(attempt, bytes, length);
        } else if (attempt.query().isAnsweredInOtherCaseBy(bytes, length)) {
            respondedInOtherCase(attempt, bytes, length);
        } else {
            loop.count(UpstreamCounter.MISMATCHED);
            mismatched(attempt);
        }
    }

    final void responded(Attempt attempt, byte[] message, int length) {
        if (attempt.takesOtherForm(message, length)) {
            sendAgain(attempt);
        } else {
            answered(attempt, message, length);
        }
    }

    private void sendAgain(Attempt attempt) {
        attempt.leave();
        loop.count(UpstreamCounter.REWRITTEN);
        resend(attempt);
    }

    /**
     * A different case of the name reveals a forger if responses can be forged: the question is repeated in lower
     * case.
     */
    final void askInLowerCase(Attempt attempt) {
        loop.count(UpstreamCounter.MISMATCHED);
        if (attempt.takesOtherCase()) {
            sendAgain(attempt);
        } else {
            mismatched(attempt);
        }
    }

    /** An attempt is not on the channel any more. */
    final void release(int id) {
        ids.remove(id);
        if (over) {
            return;
        }
        released(id);
        if (ids.isEmpty()) {
            if (retired) {
                end(AttemptFailure.RESET);
            } else {
                emptied();
            }
        }
    }

    /** Accepts no more questions. */
    final void retire() {
        retired = true;
        if (ids.isEmpty()) {
            end(AttemptFailure.RESET);
        }
    }

    /** Closes the channel and fails its pending attempts. */
    final void end(AttemptFailure why) {
        if (over) {
            return;
        }
        over = true;
        retired = true;
        server.closed(this);
        ended();
        if (channel != null && channel.isRegistered()) { // else there was no descriptor for it
            channel.close();
        }
        for (Attempt attempt : ids.drain()) {
            if (!attempt.isOver()) {
                lost(attempt, why);
            }
        }
    }

    /** Called before the channel is closed. */
    void ended() {}

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        loop.clock().readClock();
        end(AttemptFailure.RESET);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        loop.clock().readClock();
        if (SocketFailure.isDefect(cause)) {
            loop.defect(cause);
        }
        end(SocketFailure.of(cause));
    }
}
