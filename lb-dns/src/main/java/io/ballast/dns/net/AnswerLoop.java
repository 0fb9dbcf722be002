package io.ballast.dns.net;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.answer.Client;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.Wire;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.net.InetAddress;

/**
 * An event loop with an answerer and buffers of its own.
 *
 * <p>Thread safety: everything but {@link #eventLoop} and {@link #heartbeat} is confined to that event loop.
 */
public final class AnswerLoop {

    private final EventLoop eventLoop;
    private final Answering answering;
    private final Heartbeat heartbeat;
    private final Client client = new Client();
    private final byte[] query = new byte[Wire.MAX_MESSAGE_BYTES];
    private final byte[] response = new byte[Wire.MAX_MESSAGE_BYTES];

    public AnswerLoop(EventLoop eventLoop, Answering answering, Heartbeat heartbeat) {
        this.eventLoop = eventLoop;
        this.answering = answering;
        this.heartbeat = heartbeat;
    }

    /** That of the event loop. */
    public Heartbeat heartbeat() {
        return heartbeat;
    }

    public EventLoop eventLoop() {
        return eventLoop;
    }

    /**
     * Reads a query of {@code length} bytes from {@code content}, which it borrows, and answers {@code peer}.
     *
     * @param port of the peer, 0 where it does not matter
     * @return length of the response, which then lies in {@link #response}; 0 if there must be none
     */
    public int answer(ByteBuf content, int length, InetAddress peer, int port, Transport transport) {
        content.readBytes(query, 0, length);
        client.set(peer, port);
        return answering.answer(query, length, client, response, transport);
    }

    /** The last response, until the next call of {@link #answer}. */
    public byte[] response() {
        return response;
    }

    public void count(DnsCounter counter) {
        answering.count(counter);
    }

    /** Like {@link Answering#failed}. */
    public void failed(Throwable cause) {
        answering.failed(cause);
    }
}
