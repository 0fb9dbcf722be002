package io.ballast.dns.net;

import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.Answerer;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.Wire;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An event loop with an answerer and buffers of its own.
 *
 * <p>Thread safety: everything but {@link #eventLoop} is confined to that event loop.
 */
public final class AnswerLoop {

    private static final Logger LOG = LoggerFactory.getLogger(AnswerLoop.class);
    private static final AtomicBoolean DEFECT_LOGGED = new AtomicBoolean();

    private final EventLoop eventLoop;
    private final Answerer answerer;
    private final Counters.Shard<DnsCounter> counters;
    private final byte[] query = new byte[Wire.MAX_MESSAGE_BYTES];
    private final byte[] response = new byte[Wire.MAX_MESSAGE_BYTES];

    public AnswerLoop(EventLoop eventLoop, Answerer answerer, Counters.Shard<DnsCounter> counters) {
        this.eventLoop = eventLoop;
        this.answerer = answerer;
        this.counters = counters;
    }

    public EventLoop eventLoop() {
        return eventLoop;
    }

    /**
     * Reads a query of {@code length} bytes from {@code content}, which it borrows.
     *
     * @return length of the response, which then lies in {@link #response}; 0 if there must be none
     */
    public int answer(ByteBuf content, int length, Transport transport) {
        content.readBytes(query, 0, length);
        return answerer.answer(query, length, response, transport);
    }

    /** The last response, until the next call of {@link #answer}. */
    public byte[] response() {
        return response;
    }

    public void count(DnsCounter counter) {
        counters.increment(counter);
    }

    /** Counts what went wrong with a socket; anything but the network's own failures is a defect and logged once. */
    public void failed(Throwable cause) {
        if (cause instanceof IOException) {
            return;
        }
        counters.increment(DnsCounter.ERRORS);
        if (DEFECT_LOGGED.compareAndSet(false, true)) {
            LOG.error("defect in the DNS frontend; further ones are only counted", cause);
        }
    }
}
