package io.ballast.http.h1.backend;

import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.BackendProtocol;
import io.ballast.http.connect.BackendConnector;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.net.BackendTlsHandshake;
import io.ballast.http.net.ConnectErrors;
import io.ballast.http.net.ProxiedClient;
import io.ballast.http.relay.Failure;
import io.netty.channel.Channel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Opens a connection to a backend for an attempt that waits for it. If the backend selects HTTP/2, hands the connection
 * over to the HTTP/2 code. Event-loop confined. Cost: one object for each connection attempt.
 */
final class ConnectAttempt {

    private final IdleConnections home;
    private final BackendLoop loop;
    private final BackendConnections settings;
    private final BackendConnection connection;
    private final AttemptTicket waiting;
    private final PendingConnects.Attempt pending;
    /** Whether to offer only HTTP/1.1, although the pool lets the backend choose the HTTP version. */
    private final boolean http1;

    private ConnectAttempt(IdleConnections home, AttemptTicket waiting, PendingConnects.Attempt pending) {
        this.home = home;
        this.loop = home.loop();
        this.settings = home.settings();
        this.connection = new BackendConnection(home, loop.worker.newReadAllocator());
        this.waiting = waiting;
        this.pending = pending;
        this.http1 = loop.needsHttp1(home.backend(), settings, waiting);
    }

    /**
     * Opens a connection for a waiting attempt. Returns false, without any effect, if no file descriptor is free.
     *
     * @param pending notified when the connection has been established or has failed
     */
    static boolean start(IdleConnections home, AttemptTicket waiting, PendingConnects.Attempt pending) {
        return new ConnectAttempt(home, waiting, pending).start();
    }

    private boolean start() {
        // A connection that starts with a client's PROXY header is never reused: see reusesConnections.
        ProxiedClient client = ProxiedClient.of(settings, waiting.proxiedClient());
        return BackendConnector.connect(
                loop.worker,
                http1 ? loop.securityOfUpgrades(home.backend()) : loop.security(home.backend()),
                home.backend(),
                settings,
                connection,
                connection.reads,
                client == null ? null : client.header(settings, loop.worker.allocator()),
                this::done);
    }

    private void done(@Nullable Failure failure, String reason) {
        if (failure == null) {
            connected();
        } else {
            boolean lacksHttp1 = http1 && reason.equals(ConnectErrors.NO_APPLICATION_PROTOCOL);
            failed(lacksHttp1 ? Failure.TUNNEL_UNSUPPORTED : failure, reason);
        }
        pending.done(failure == null);
    }

    private void connected() {
        Channel channel = Objects.requireNonNull(connection.context).channel();
        if (settings.protocol() == BackendProtocol.AUTO
                && BackendTlsHandshake.HTTP_2.equals(BackendTlsHandshake.negotiatedProtocol(channel))) {
            loop.handOverToHttp2(
                    home.backend(), settings, home.isRetired(), connection.detach(), connection.reads, waiting);
        } else {
            connection.connectionMade(waiting);
        }
    }

    private void failed(Failure failure, String reason) {
        if (connection.context == null) {
            connection.freeQuota(); // the channel was not registered, so handlerAdded did not run
        }
        waiting.connectFailed(failure, reason);
    }
}
