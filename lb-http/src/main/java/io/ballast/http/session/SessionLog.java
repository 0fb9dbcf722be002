package io.ballast.http.session;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.UnixSocket;
import io.ballast.core.pool.Pool;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.log.AccessLog;
import io.ballast.http.log.AccessLogEntry;
import io.ballast.http.log.AccessLogField;
import io.ballast.http.net.PeerAddress;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.net.tls.TlsSessionInfo;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Collects the access log fields of a session, and logs the session at its end. Created only for listeners
 * with an access log, so that other listeners have no cost. Event-loop confined.
 */
final class SessionLog {

    private static final String OK = "ok";

    private final AccessLogEntry logEntry = new AccessLogEntry();
    private final Worker worker;
    private final Listener listener;
    private long connectStartNanos;

    private SessionLog(Worker worker, Listener listener, SocketAddress client) {
        this.worker = worker;
        this.listener = listener;
        logEntry.start(worker.now());
        if (client instanceof InetSocketAddress inet) {
            String literal = inet.getAddress().getHostAddress();
            int zone = literal.indexOf('%');
            logEntry.store(AccessLogField.CLIENT, zone < 0 ? literal : literal.substring(0, zone));
            logEntry.clientPort = PeerAddress.port(client);
        } else {
            logEntry.store(AccessLogField.CLIENT, UnixSocket.SCHEME);
        }
    }

    /** Creates the log entry of a session that begins now; null if its listener has no access log. */
    static @Nullable SessionLog of(Worker worker, Listener listener, SocketAddress client) {
        return listener.accessLog() == null ? null : new SessionLog(worker, listener, client);
    }

    void connecting(Backend backend) {
        connectStartNanos = worker.now();
        logEntry.attempts++;
        logEntry.queueNanos = connectStartNanos - logEntry.startNanos;
        logEntry.connectNanos = AccessLogEntry.NEVER;
        logEntry.store(AccessLogField.BACKEND, backend.addressBytes());
    }

    void connected() {
        logEntry.connectNanos = worker.now() - connectStartNanos;
    }

    void reason(String text) {
        logEntry.store(AccessLogField.REASON, text);
    }

    void serverName(String name) {
        logEntry.store(AccessLogField.TLS_SERVER_NAME, name);
    }

    void tls(TlsSessionInfo tls) {
        logEntry.store(AccessLogField.TLS_VERSION, tls.version());
        logEntry.store(AccessLogField.TLS_CIPHER, tls.cipher());
        logEntry.store(AccessLogField.TLS_SERVER_NAME, tls.serverName());
        logEntry.store(AccessLogField.TLS_ALPN, tls.applicationProtocol());
        logEntry.store(AccessLogField.TLS_CLIENT, tls.clientSubject());
    }

    /** Ends the session: queues its log line, or counts it as dropped. */
    void end(@Nullable Pool pool, @Nullable Failure failure, long bytesIn, long bytesOut) {
        AccessLog target = listener.accessLog(); // must be the current log, because a log stored earlier may be closed
        if (target == null) {
            return;
        }
        if (pool != null) {
            logEntry.store(AccessLogField.POOL, pool.config().name().getBytes(StandardCharsets.UTF_8));
        }
        logEntry.store(AccessLogField.END, failure == null ? OK : failure.label());
        logEntry.bytesIn = bytesIn;
        logEntry.bytesOut = bytesOut;
        logEntry.totalNanos = worker.readClock() - logEntry.startNanos;
        if (!target.offer(worker.index(), logEntry)) {
            listener.counters().shard(worker.index()).increment(ListenerCounter.ACCESS_LOG_DROPPED);
        }
    }
}
