package io.ballast.http.h2.backend;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.http.connect.NoConnectionTimer;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.net.ProxiedClient;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Connections of one event loop to one backend that start with a PROXY protocol header. The header identifies one
 * client connection, so only the exchanges of that client connection share a connection. At most {@code max_idle} idle
 * connections are kept; the least recently used one is closed first. Event-loop confined.
 */
final class PerClientHttp2Pools implements StreamSource {

    private final Http2Backends loop;
    private final Backend backend;
    private final BackendConnections settings;
    private final Map<ProxiedClient, Http2BackendPool> pools = new HashMap<>();
    private final LinkedHashSet<Http2BackendConnection> idle = new LinkedHashSet<>();
    /** The pools of all clients share this timer, because a connection of any client may free a descriptor. */
    private final NoConnectionTimer noConnection = new NoConnectionTimer();

    private int connectionCount;
    private boolean retired;

    PerClientHttp2Pools(Http2Backends loop, Backend backend, BackendConnections settings) {
        this.loop = loop;
        this.backend = backend;
        this.settings = settings;
    }

    @Override
    public @Nullable BackendSide open(Exchange exchange, boolean fresh) {
        return pool(exchange.proxiedClient()).open(exchange, fresh);
    }

    @Override
    public boolean hasCapacity(Exchange exchange) {
        return pool(exchange.proxiedClient()).hasCapacity(exchange);
    }

    @Override
    public void adopt(Channel channel, BudgetedRecvByteBufAllocator reads, @Nullable AttemptTicket waiting) {
        if (waiting == null) {
            channel.close(); // no client waits for the connection
        } else {
            pool(waiting.proxiedClient()).adopt(channel, reads, waiting);
        }
    }

    private Http2BackendPool pool(@Nullable ProxiedClient proxied) {
        ProxiedClient client = requireNonNull(proxied, "client");
        Http2BackendPool list = pools.get(client);
        return list == null ? newPool(client) : list;
    }

    private Http2BackendPool newPool(ProxiedClient client) {
        Http2BackendPool list = new Http2BackendPool(loop, backend, settings, client, this);
        if (retired) {
            list.retire();
        }
        return list;
    }

    /** Registers the pool of a client when it has a connection or a waiting attempt. */
    void registerPool(ProxiedClient client, Http2BackendPool list) {
        pools.putIfAbsent(client, list);
    }

    /** Called when a connection was added to a client's pool. */
    void connectionAdded(ProxiedClient client, Http2BackendPool list) {
        connectionCount++;
        registerPool(client, list);
    }

    /** Called when a connection was removed from a client's pool; unregisters the pool if it is empty. */
    void connectionRemoved(ProxiedClient client, Http2BackendPool list, Http2BackendConnection connection) {
        connectionCount--;
        idle.remove(connection);
        removeIfEmpty(client, list);
    }

    NoConnectionTimer noConnection() {
        return noConnection;
    }

    /** Whether any client has a connection. A connection that is being opened counts, too. */
    boolean hasConnection() {
        return connectionCount > 0;
    }

    /** Unregisters the pool of a client if it has no connection and no waiting attempt. */
    void removeIfEmpty(ProxiedClient client, Http2BackendPool list) {
        if (list.isEmpty()) {
            pools.remove(client, list);
        }
    }

    void markUsed(Http2BackendConnection connection) {
        idle.remove(connection);
    }

    void markIdle(Http2BackendConnection connection) {
        idle.add(connection);
        if (idle.size() > settings.maxIdlePerLoop()) {
            closeOneIdle();
        }
    }

    @Override
    public Backend backend() {
        return backend;
    }

    @Override
    public void retire() {
        retired = true;
        List.copyOf(pools.values()).forEach(Http2BackendPool::retire);
    }

    @Override
    public boolean closeOneIdle() {
        if (idle.isEmpty()) {
            return false;
        }
        Http2BackendConnection oldest = idle.iterator().next();
        idle.remove(oldest);
        oldest.closeIfIdle();
        return true;
    }

    @Override
    public void closeIdle() {
        List<Http2BackendPool> all = new ArrayList<>(pools.values());
        all.forEach(Http2BackendPool::closeIdle);
    }
}
