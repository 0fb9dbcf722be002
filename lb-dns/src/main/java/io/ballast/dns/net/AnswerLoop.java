package io.ballast.dns.net;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.answer.AnswerResult;
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
 * An event loop with its own answerer and buffers.
 *
 * <p>Thread safety: confined to the event loop, except {@link #eventLoop} and {@link #heartbeat}.
 */
public final class AnswerLoop extends FrontendLoop {

    private final AnswerContext answerContext;
    private final Client client = new Client();
    private final byte[] query = new byte[Wire.MAX_MESSAGE_BYTES];
    private final byte[] response = new byte[Wire.MAX_MESSAGE_BYTES];

    AnswerLoop(EventLoop eventLoop, Heartbeat heartbeat, AnswerContext answering) {
        super(eventLoop, heartbeat);
        this.answerContext = answering;
    }

    /** Creates a loop with its own clock, for tests. */
    public AnswerLoop(EventLoop eventLoop, Heartbeat heartbeat, AnswerContext answering, LongSupplier nanoTime) {
        super(eventLoop, heartbeat, nanoTime);
        this.answerContext = answering;
    }

    /** Starts {@code count} event loops. */
    public static FrontendLoops<AnswerLoop> start(NettyTransport transport, int count, AnswererFactory answerers) {
        return FrontendLoops.start(
                transport,
                count,
                "dns",
                (index, eventLoop, heartbeat) -> new AnswerLoop(eventLoop, heartbeat, answerers.acquire()));
    }

    /**
     * Answers a query of {@code length} bytes in {@code content}, which is borrowed.
     *
     * @param port the source port of {@code peer}; 0 if it is irrelevant
     * @param arrivedNanos the time at which the query was read, by the clock of {@link System#nanoTime()}
     * @param deferral callback that creates the reply path if the answer is deferred
     * @return after {@link AnswerResult#RESPONSE}, the first {@link #responseLength} bytes of {@link #response} are the
     *     response
     */
    public AnswerResult answer(
            ByteBuf content,
            int length,
            InetAddress peer,
            int port,
            long arrivedNanos,
            Transport transport,
            Deferral deferral) {
        content.readBytes(query, 0, length);
        client.set(peer, port);
        client.setArrivalNanos(arrivedNanos);
        return answerContext.answer(query, length, client, response, transport, deferral);
    }

    /** Calls {@link AnswerContext#releaseInactiveConfig}. */
    public void releaseInactiveConfig() {
        answerContext.releaseInactiveConfig();
    }

    /** Returns the last response; it is valid until the next call of {@link #answer}. */
    public byte[] response() {
        return response;
    }

    /** Returns the length of the last response in bytes; 0 without a response, or if it is deferred. */
    public int responseLength() {
        return answerContext.responseLength();
    }

    public void count(DnsCounter counter) {
        answerContext.count(counter);
    }

    /** Calls {@link AnswerContext#recordError}. */
    public void recordError(Throwable cause) {
        answerContext.recordError(cause);
    }
}
