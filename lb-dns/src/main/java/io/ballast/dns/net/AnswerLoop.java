package io.ballast.dns.net;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.answer.Answerer;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.answer.data.Client;
import io.ballast.dns.forward.Deferral;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.Wire;
import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.loop.FrontendLoops;
import io.ballast.net.transport.NettyTransport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.util.function.LongSupplier;

/**
 * An event loop with an answerer and buffers of its own.
 *
 * <p>Thread safety: everything but {@link #eventLoop} and {@link #heartbeat} is confined to that event loop.
 */
public final class AnswerLoop extends FrontendLoop {

    private final AnswerContext answering;
    private final Client client = new Client();
    private final byte[] query = new byte[Wire.MAX_MESSAGE_BYTES];
    private final byte[] response = new byte[Wire.MAX_MESSAGE_BYTES];

    AnswerLoop(EventLoop eventLoop, Heartbeat heartbeat, AnswerContext answering) {
        super(eventLoop, heartbeat);
        this.answering = answering;
    }

    /** Creates a loop with its own clock, for tests. */
    public AnswerLoop(EventLoop eventLoop, Heartbeat heartbeat, AnswerContext answering, LongSupplier nanoTime) {
        super(eventLoop, heartbeat, nanoTime);
        this.answering = answering;
    }

    /** Starts {@code count} of them. */
    public static FrontendLoops<AnswerLoop> start(NettyTransport transport, int count, AnswererFactory answerers) {
        return FrontendLoops.start(
                transport,
                count,
                "dns",
                (index, eventLoop, heartbeat) -> new AnswerLoop(eventLoop, heartbeat, answerers.next()));
    }

    /**
     * Reads a query of {@code length} bytes from {@code content}, which it borrows, and answers {@code peer}.
     *
     * @param port of the peer, 0 where it does not matter
     * @param arrivedNanos when it was read, by the clock of {@link System#nanoTime()}
     * @param deferral keeps the way back to the peer if the answer comes later
     * @return length of the response, which then lies in {@link #response}; 0 if there must be none; {@link
     *     Answerer#DEFERRED} if it comes later
     */
    public int answer(
            ByteBuf content,
            int length,
            InetAddress peer,
            int port,
            long arrivedNanos,
            Transport transport,
            Deferral deferral) {
        content.readBytes(query, 0, length);
        client.set(peer, port);
        client.arrived(arrivedNanos);
        return answering.answer(query, length, client, response, transport, deferral);
    }

    /** Like {@link AnswerContext#follow}. */
    public void follow() {
        answering.follow();
    }

    /** The last response, until the next call of {@link #answer}. */
    public byte[] response() {
        return response;
    }

    public void count(DnsCounter counter) {
        answering.count(counter);
    }

    /** Like {@link AnswerContext#failed}. */
    public void failed(Throwable cause) {
        answering.failed(cause);
    }
}
