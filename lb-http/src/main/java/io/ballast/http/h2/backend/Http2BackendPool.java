package io.ballast.http.h2.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.BackendProtocol;
import io.ballast.http.connect.NoConnectionTimer;
import io.ballast.http.connect.SlotQueue;
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
 * exchange uses the first connection with capacity, to keep the number of connections small. While the process has
 * no free file descriptor, exchanges wait in a queue for a stream. Event-loop confined.
 */
final class Http2BackendPool implements StreamSource, SlotQueue.Connections {

    private final Http2Backends loop;
    private final Backend backend;
    private final BackendConnections settings;
    private final List<Http2BackendConnection> connections = new ArrayList<>();
    /** The only client whose exchanges may use the connections; null if all clients share them. */
    private final @Nullable ProxiedClient client;

    private final @Nullable PerClientHttp2Pools owner;
    /** Attempts that wait for a stream while the process is short of file descriptors. */
    private final SlotQueue waiting;

    private final NoConnectionTimer noConnection;

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
        this.noConnection = owner == null ? new NoConnectionTimer() : owner.noConnection();
        this.waiting = new SlotQueue(loop.worker, backend, settings, this, noConnection);
    }

    @Override
    public @Nullable BackendSide open(Exchange exchange, boolean fresh) {
        if (waiting.isEmpty()) { // an exchange must not overtake waiting attempts
            for (int i = 0; i < connections.size(); i++) {
                Http2BackendConnection candidate = connections.get(i);
                // Exchanges that lost the same connection share one fresh connection.
                if (candidate.hasCapacity() && (!fresh || candidate.isConnecting())) {
                    return candidate.open(exchange);
                }
            }
            Http2BackendConnection connection = loop.worker.descriptors().isShort() ? null : connect();
            if (connection != null) {
                return connection.open(exchange);
            }
        }
        await(exchange.ticket());
        return null;
    }

    private void await(AttemptTicket ticket) {
        if (client != null && owner != null) {
            owner.registerPool(client, this);
        }
        waiting.add(ticket);
    }

    /** Opens a connection; null if no file descriptor is free. */
    private @Nullable Http2BackendConnection connect() {
        Http2BackendConnection connection = newConnection(loop.worker.newReadAllocator());
        if (!connection.connect(client == null ? null : client.header(settings, loop.worker.allocator()))) {
            return null;
        }
        add(connection);
        return connection;
    }

    private Http2BackendConnection newConnection(BudgetedRecvByteBufAllocator reads) {
        return new Http2BackendConnection(loop, backend, this, reads);
    }

    private void add(Http2BackendConnection connection) {
        connections.add(connection);
        noConnection.reset();
        if (client != null && owner != null) {
            owner.connectionAdded(client, this);
        }
    }

    // ---- while the process is short of file descriptors

    @Override
    public boolean hasConnection() {
        return !connections.isEmpty();
    }

    @Override
    public boolean mayFreeDescriptor() {
        return owner == null ? hasConnection() : owner.hasConnection();
    }

    @Override
    public AttemptTicket.@Nullable Binder findSlot() {
        for (int i = 0; i < connections.size(); i++) {
            Http2BackendConnection candidate = connections.get(i);
            if (candidate.hasCapacity()) {
                return candidate::open;
            }
        }
        return null;
    }

    @Override
    public boolean connect(AttemptTicket ticket) {
        Http2BackendConnection connection = connect();
        if (connection == null) {
            return false;
        }
        connection.await(ticket);
        return true;
    }

    @Override
    public void queueEmptied() {
        if (client != null && owner != null) {
            owner.removeIfEmpty(client, this);
        }
    }

    /** Called when a connection may have capacity for another stream. */
    void streamFreed() {
        waiting.slotFreed();
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
    public void adopt(Channel channel, BudgetedRecvByteBufAllocator reads, @Nullable AttemptTicket ticket) {
        Http2BackendConnection connection = newConnection(reads);
        add(connection);
        if (ticket != null) {
            connection.await(ticket);
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

    /** Removes a connection that accepts no further exchanges. */
    void remove(Http2BackendConnection connection) {
        boolean removed = connections.remove(connection);
        if (removed && client != null && owner != null) {
            owner.connectionRemoved(client, this, connection);
        }
    }

    /** Whether there is no connection, and no attempt waits for one. */
    boolean isEmpty() {
        return connections.isEmpty() && waiting.isEmpty();
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
    public boolean closeOneIdle() {
        if (waiting.isEmpty()) {
            for (Http2BackendConnection connection : connections) {
                if (connection.isIdle()) {
                    connection.closeIfIdle();
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public void closeIdle() {
        List.copyOf(connections).forEach(Http2BackendConnection::closeIfIdle);
    }
}
