package io.ballast.http.h2.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.BackendProtocol;
import io.ballast.http.connect.ProxiedClient;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.net.TlsConnect;
import io.ballast.net.budget.BudgetedReads;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one backend, or those of them that speak for one client. An exchange goes to the
 * first that has room, so that there are as few as can be. Event-loop confined.
 */
final class BackendConnectionList implements StreamSource {

    private final Http2Backends loop;
    private final Backend backend;
    private final BackendConnections settings;
    private final List<Http2BackendConnection> connections = new ArrayList<>();
    /** Null if the connections are for all clients. */
    private final @Nullable ProxiedClient client;

    private final @Nullable PerClientConnections owner;
    private boolean retired;
    private int mostStreams = Integer.MAX_VALUE;

    BackendConnectionList(Http2Backends loop, Backend backend, BackendConnections settings) {
        this(loop, backend, settings, /* client= */ null, /* owner= */ null);
    }

    /** Those that speak for one client, of which {@code owner} keeps account. */
    BackendConnectionList(
            Http2Backends loop,
            Backend backend,
            BackendConnections settings,
            @Nullable ProxiedClient client,
            @Nullable PerClientConnections owner) {
        this.client = client;
        this.owner = owner;
        this.loop = loop;
        this.backend = backend;
        this.settings = settings;
    }

    @Override
    public @Nullable BackendSide open(Exchange exchange, boolean fresh) {
        for (int i = 0; i < connections.size(); i++) {
            Http2BackendConnection candidate = connections.get(i);
            // Those that lost a connection together share a fresh one.
            if (candidate.hasRoom() && (!fresh || candidate.isBeingMade())) {
                return candidate.open(exchange);
            }
        }
        Http2BackendConnection connection = add(loop.worker.newReads());
        BackendSide none = connection.open(exchange);
        connection.connect(client == null ? null : client.header(settings, loop.worker.allocator()));
        return none;
    }

    private Http2BackendConnection add(BudgetedReads reads) {
        Http2BackendConnection connection = new Http2BackendConnection(loop, backend, this, reads);
        connections.add(connection);
        if (client != null && owner != null) {
            owner.added(client, this);
        }
        return connection;
    }

    /** Whether the list has no other connection. */
    boolean isAlone(Http2BackendConnection connection) {
        return connections.size() <= 1 && (connections.isEmpty() || connections.get(0) == connection);
    }

    /** A connection other than {@code connection} that is made and has room; null if there is none. */
    @Nullable Http2BackendConnection madeBeside(Http2BackendConnection connection) {
        for (int i = 0; i < connections.size(); i++) {
            Http2BackendConnection candidate = connections.get(i);
            if (candidate != connection && !candidate.isBeingMade() && candidate.hasRoom()) {
                return candidate;
            }
        }
        return null;
    }

    @Override
    public boolean hasRoom(Exchange exchange) {
        for (int i = 0; i < connections.size(); i++) {
            if (connections.get(i).hasRoom()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void take(Channel channel, BudgetedReads reads, @Nullable AttemptTicket waiting) {
        Http2BackendConnection connection = add(reads);
        if (waiting != null) {
            connection.await(waiting);
        }
        channel.pipeline().addLast(connection);
        connection.made();
    }

    /** Whether a backend that may choose wants HTTP/1.1 on a connection. */
    boolean choseHttp1(Channel channel) {
        return settings.protocol() == BackendProtocol.AUTO && !TlsConnect.HTTP_2.equals(TlsConnect.agreed(channel));
    }

    /** A connection and the exchanges that waited for it go to where HTTP/1.1 is spoken. */
    void giveAway(Http2BackendConnection connection, Channel channel, BudgetedReads reads, WaitingExchanges waiters) {
        remove(connection);
        channel.pipeline().remove(connection);
        loop.choseHttp1(backend, settings, retired, channel, reads, waiters);
    }

    BackendConnections settings() {
        return settings;
    }

    /** How many streams the backend takes on a connection, as far as it has said so. */
    int mostStreams() {
        return mostStreams;
    }

    void mostStreams(int most) {
        mostStreams = most;
    }

    /** The connection takes no more exchanges. */
    void remove(Http2BackendConnection connection) {
        connections.remove(connection);
        if (client != null && owner != null) {
            owner.removed(client, this, connection);
        }
    }

    boolean isEmpty() {
        return connections.isEmpty();
    }

    /** The connection has an exchange again. */
    void used(Http2BackendConnection connection) {
        if (owner != null) {
            owner.used(connection);
        }
    }

    /** No exchange uses the connection. */
    void unused(Http2BackendConnection connection) {
        if (retired) {
            connection.leave();
        } else if (owner != null) {
            owner.unused(connection);
        }
    }

    @Override
    public Backend backend() {
        return backend;
    }

    @Override
    public void retire() {
        retired = true;
        List.copyOf(connections).forEach(Http2BackendConnection::retire);
    }

    @Override
    public void closeIdle() {
        List.copyOf(connections).forEach(Http2BackendConnection::closeIfIdle);
    }
}
