package io.ballast.http.udp;

import static java.util.Objects.requireNonNull;

import io.ballast.core.pool.Pool;
import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.net.UnexpectedErrors;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.http.session.SessionReport;
import io.ballast.http.session.SessionRoutes;
import io.ballast.net.tls.ClientHello;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one socket that clients send to. When there are as many as allowed, or no backend has room, datagrams of
 * new clients are dropped and counted: the sessions of others cannot be pushed out by forged addresses.
 *
 * <p>Event-loop confined.
 */
public final class UdpSessions extends ChannelInboundHandlerAdapter {

    final Worker worker;
    final Listener listener;
    final Counters.Shard<ListenerCounter> counters;

    private final SessionRoutes routes;
    private final ChannelGroup sockets;
    private final Map<InetSocketAddress, UdpSession> sessions = new HashMap<>();
    /** Those that got something in the present round of reading. */
    private final List<UdpSession> unflushed = new ArrayList<>();

    private @Nullable Channel channel;

    /** @param sockets where the sockets to backends are to be found when all ends */
    public UdpSessions(Worker worker, Listener listener, SessionRoutes routes, ChannelGroup sockets) {
        this.worker = worker;
        this.listener = listener;
        this.routes = routes;
        this.sockets = sockets;
        this.counters = listener.counters().shard(worker.index());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        channel = ctx.channel();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        DatagramPacket datagram = (DatagramPacket) message;
        worker.readClock();
        counters.increment(ListenerCounter.DATAGRAMS_IN);
        counters.add(ListenerCounter.BYTES_IN, datagram.content().readableBytes());
        UdpSession session = sessions.get(datagram.sender());
        if (session != null && session.isStale()) {
            session.end(/* failure= */ null);
            session = null;
        }
        if (session == null) {
            session = begin(datagram.sender());
        }
        if (session == null) {
            dropped(datagram.content());
        } else {
            session.send(datagram.content());
        }
    }

    private @Nullable UdpSession begin(InetSocketAddress client) {
        if (listener.isDraining()) {
            return null;
        }
        if (!Datagrams.mayOpenSocket(worker)) {
            counters.increment(ListenerCounter.CONNECTIONS_REFUSED);
            return null;
        }
        ListenerCounter refusal = listener.admit(client);
        if (refusal != null) {
            counters.increment(refusal);
            return null;
        }
        SessionReport report = new SessionReport(worker, listener);
        report.begun();
        Pool pool = routes.find(ClientHello.NONE, client.getAddress().getAddress(), worker.random());
        UdpSession session = pool == null ? null : UdpSession.begin(this, client, pool, report);
        if (session == null) {
            if (pool == null) {
                report.over(/* pool= */ null, Failure.NO_ROUTE);
            }
            listener.closed(client);
            return null;
        }
        counters.increment(ListenerCounter.CONNECTIONS_OPENED);
        sessions.put(client, session);
        return session;
    }

    /** A session has a socket to its backend. */
    void opened(Channel socket) {
        sockets.add(socket);
    }

    /** A session is over. */
    void ended(InetSocketAddress client, UdpSession session) {
        sessions.remove(client, session);
        counters.increment(ListenerCounter.CONNECTIONS_CLOSED);
        listener.closed(client);
    }

    /** A session got a datagram to send, which goes out when the round of reading is over. */
    void flushLater(UdpSession session) {
        unflushed.add(session);
    }

    /** A datagram goes nowhere; consumes {@code data}. */
    void dropped(ByteBuf data) {
        data.release();
        counters.increment(ListenerCounter.DATAGRAMS_DROPPED);
    }

    /** Sends an answer to a client, with the next flush; consumes {@code data}. */
    void answer(ByteBuf data, InetSocketAddress client) {
        Channel to = requireNonNull(channel);
        if (!to.isWritable()) {
            to.flush();
        }
        if (!to.isWritable()) {
            dropped(data);
            return;
        }
        counters.increment(ListenerCounter.DATAGRAMS_OUT);
        counters.add(ListenerCounter.BYTES_OUT, data.readableBytes());
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

    /** A client that is gone, or a datagram that is too long for its way, concerns no other client. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        UnexpectedErrors.report(cause);
    }
}
