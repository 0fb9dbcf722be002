package io.ballast.http.h2.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.BackendProtocol;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.net.BackendTlsHandshake;
import io.ballast.http.net.ProxiedClient;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one backend, shared by all clients or used by only one client. An
 * exchange uses the first connection with capacity, to keep the number of connections small. Event-loop
 * confined.
 */
final class Http2BackendPool implements StreamSource {

    private final Http2Backends loop;
    private final Backend backend;
    private final BackendConnections settings;
    private final List<Http2BackendConnection> connections = new ArrayList<>();
    /** The only client whose exchanges may use the connections; null if all clients share them. */
    private final @Nullable ProxiedClient client;

    private final @Nullable PerClientHttp2Pools owner;
    private boolean retired;
    private int maxStreams = Integer.MAX_VALUE;

    Http2BackendPool(Http2Backends loop, Backend backend, BackendConnections settings) {
        this(loop, backend, settings, /* client= */ null, /* owner= */ null);
    }

    /** Creates a pool for one client; {@code owner} tracks its connections. */
    Http2BackendPool(
            Http2Backends loop,
            Backend backend,
            BackendConnections settings,
            @Nullable ProxiedClient client,
            @Nullable PerClientHttp2Pools owner) {
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
            // Exchanges that lost the same connection share one fresh connection.
            if (candidate.hasCapacity() && (!fresh || candidate.isConnecting())) {
                return candidate.open(exchange);
            }
        }
        Http2BackendConnection connection = add(loop.worker.newReadAllocator());
        BackendSide none = connection.open(exchange);
        connection.connect(client == null ? null : client.header(settings, loop.worker.allocator()));
        return none;
    }

    private Http2BackendConnection add(BudgetedRecvByteBufAllocator reads) {
        Http2BackendConnection connection = new Http2BackendConnection(loop, backend, this, reads);
        connections.add(connection);
        if (client != null && owner != null) {
            owner.registerPool(client, this);
        }
        return connection;
    }

    /** Whether the pool has no other connection. */
    boolean isOnlyConnection(Http2BackendConnection connection) {
        return connections.size() <= 1 && (connections.isEmpty() || connections.get(0) == connection);
    }

    /** Returns another connection that is open and has capacity; null if there is none. */
    @Nullable Http2BackendConnection findOtherWithCapacity(Http2BackendConnection connection) {
        for (int i = 0; i < connections.size(); i++) {
            Http2BackendConnection candidate = connections.get(i);
            if (candidate != connection && !candidate.isConnecting() && candidate.hasCapacity()) {
                return candidate;
            }
        }
        return null;
    }

    @Override
    public boolean hasCapacity(Exchange exchange) {
        for (int i = 0; i < connections.size(); i++) {
            if (connections.get(i).hasCapacity()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void adopt(Channel channel, BudgetedRecvByteBufAllocator reads, @Nullable AttemptTicket waiting) {
        Http2BackendConnection connection = add(reads);
        if (waiting != null) {
            connection.await(waiting);
        }
        channel.pipeline().addLast(connection);
        connection.made();
    }

    /** Whether ALPN selected HTTP/1.1 on a connection where both protocols were offered. */
    boolean isHttp1Selected(Channel channel) {
        return settings.protocol() == BackendProtocol.AUTO
                && !BackendTlsHandshake.HTTP_2.equals(BackendTlsHandshake.negotiatedProtocol(channel));
    }

    /** Hands a connection and its waiting exchanges over to HTTP/1.1. */
    void handOverToHttp1(
            Http2BackendConnection connection,
            Channel channel,
            BudgetedRecvByteBufAllocator reads,
            PendingAttempts waiters) {
        remove(connection);
        channel.pipeline().remove(connection);
        loop.handOverToHttp1(backend, settings, retired, channel, reads, waiters);
    }

    BackendConnections settings() {
        return settings;
    }

    /** Maximum concurrent streams per connection, from the backend's last settings. */
    int maxStreams() {
        return maxStreams;
    }

    void maxStreams(int max) {
        maxStreams = max;
    }

    /** Removes a connection that accepts no more exchanges. */
    void remove(Http2BackendConnection connection) {
        connections.remove(connection);
        if (client != null && owner != null) {
            owner.connectionRemoved(client, this, connection);
        }
    }

    boolean isEmpty() {
        return connections.isEmpty();
    }

    /** Called when an idle connection has an exchange again. */
    void markUsed(Http2BackendConnection connection) {
        if (owner != null) {
            owner.markUsed(connection);
        }
    }

    /** Called when a connection has become idle. */
    void markIdle(Http2BackendConnection connection) {
        if (retired) {
            connection.drain();
        } else if (owner != null) {
            owner.markIdle(connection);
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
