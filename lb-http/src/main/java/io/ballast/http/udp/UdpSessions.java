package io.ballast.http.udp;

import static java.util.Objects.requireNonNull;

import io.ballast.core.pool.Pool;
import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.exchange.ListenerSettings;
import io.ballast.http.net.UnexpectedErrors;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.http.session.SessionReport;
import io.ballast.net.tls.ClientHello;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one socket that receives datagrams from clients. At the session limit, or if no backend has room,
 * datagrams of new clients are dropped and counted, so that forged addresses cannot displace existing sessions.
 *
 * <p>Event-loop confined.
 */
public final class UdpSessions extends ChannelInboundHandlerAdapter {

    final Worker worker;

    private final Supplier<UdpListener> newClientListener;
    private final Map<InetSocketAddress, UdpSession> sessions = new HashMap<>();
    /** The sessions with datagrams to flush in the current read loop. */
    private final List<UdpSession> unflushed = new ArrayList<>();

    /** The listener for new clients, as of the last datagram that this event loop received. */
    private UdpListener owner;

    private Counters.Shard<ListenerCounter> counters;
    private @Nullable Channel channel;

    /**
     * @param newClientListener supplies the listener that serves clients without a session; after a new listener has
     *     taken over the socket, it supplies the new listener
     */
    public UdpSessions(Worker worker, Supplier<UdpListener> newClientListener) {
        this.worker = worker;
        this.newClientListener = newClientListener;
        this.owner = newClientListener.get();
        this.counters = owner.listener().counters().shard(worker.index());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        channel = ctx.channel();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        DatagramPacket datagram = (DatagramPacket) message;
        worker.readClock();
        switchListener(newClientListener.get());
        UdpSession session = sessions.get(datagram.sender());
        Counters.Shard<ListenerCounter> receiver = session == null ? counters : session.counters();
        receiver.increment(ListenerCounter.DATAGRAMS_IN);
        receiver.add(ListenerCounter.BYTES_IN, datagram.content().readableBytes());
        if (session != null && session.isStale()) {
            session.end(/* failure= */ null);
            session = null;
        }
        if (session == null) {
            session = begin(datagram.sender());
        }
        if (session == null) {
            dropDatagram(datagram.content(), counters);
        } else {
            session.send(datagram.content());
        }
    }

    private void switchListener(UdpListener present) {
        if (present.listener() != owner.listener()) {
            owner = present;
            counters = present.listener().counters().shard(worker.index());
        }
    }

    private @Nullable UdpSession begin(InetSocketAddress client) {
        Listener listener = owner.listener();
        if (listener.isDraining()) {
            return null;
        }
        if (!DatagramSocketOptions.mayOpenSocket(worker)) {
            counters.increment(ListenerCounter.CONNECTIONS_REFUSED);
            return null;
        }
        ListenerSettings settings = listener.settings();
        ListenerCounter refusal = listener.admit(settings.connections(), client);
        if (refusal != null) {
            counters.increment(refusal);
            return null;
        }
        SessionReport report = new SessionReport(worker, listener, client);
        report.started();
        Pool pool =
                settings.sessions().find(ClientHello.NONE, client.getAddress().getAddress(), worker.random());
        UdpSession session = pool == null ? null : UdpSession.begin(this, owner, settings, client, pool, report);
        if (session == null) {
            if (pool == null) {
                report.end(/* pool= */ null, Failure.NO_ROUTE);
            }
            listener.closed(settings.connections(), client);
            return null;
        }
        counters.increment(ListenerCounter.CONNECTIONS_OPENED);
        if (session.hasEnded()) {
            return null; // the session could not open its socket; it has already ended and reported the failure
        }
        sessions.put(client, session);
        return session;
    }

    /** Removes a session that has ended. */
    void removeSession(InetSocketAddress client, UdpSession session) {
        sessions.remove(client, session);
    }

    /** Registers a session whose datagram is sent at the end of the read loop. */
    void flushLater(UdpSession session) {
        unflushed.add(session);
    }

    /** Drops a datagram and counts it in {@code counted}; consumes {@code data}. */
    static void dropDatagram(ByteBuf data, Counters.Shard<ListenerCounter> counted) {
        data.release();
        counted.increment(ListenerCounter.DATAGRAMS_DROPPED);
    }

    /** Sends an answer to a client with the next flush and counts it in {@code counted}; consumes {@code data}. */
    void answer(ByteBuf data, InetSocketAddress client, Counters.Shard<ListenerCounter> counted) {
        Channel to = requireNonNull(channel);
        if (!to.isWritable()) {
            to.flush();
        }
        if (!to.isWritable()) {
            dropDatagram(data, counted);
            return;
        }
        counted.increment(ListenerCounter.DATAGRAMS_OUT);
        counted.add(ListenerCounter.BYTES_OUT, data.readableBytes());
        to.write(new DatagramPacket(data, client), to.voidPromise());
    }

    void flush() {
        requireNonNull(channel).flush();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        unflushed.forEach(UdpSession::flush);
        unflushed.clear();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        List.copyOf(sessions.values()).forEach(session -> session.end(/* failure= */ null));
    }

    /**
     * Keeps the socket open, because an unreachable client, or a datagram that is too long for its path, does not
     * affect other clients.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        UnexpectedErrors.report(cause);
    }
}
