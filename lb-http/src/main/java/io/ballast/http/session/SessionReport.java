package io.ballast.http.session;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolCounter;
import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.net.tls.ClientHello;
import io.ballast.net.tls.ClientHelloReader;
import io.ballast.net.tls.TlsSessionInfo;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Records a TCP or UDP session in the statistics and in the log. The statistics of listener, pool and
 * backend count a session as one request. The response time is the time until the connection is established
 * (TCP) or until the first answer (UDP), because the rest of the session depends on the client. Event-loop
 * confined.
 */
public final class SessionReport {

    /**
     * The minimum response time recorded for a failed session, so that the least-response-time strategy does not
     * prefer a failing backend.
     */
    private static final long FAILURE_PENALTY_NANOS = Duration.ofSeconds(1).toNanos();

    private final Worker worker;
    private final Counters.Shard<ListenerCounter> listenerCounters;
    private final Counters.Shard<Failure> failures;
    /** The log entry; null if sessions are not logged. */
    private final @Nullable SessionLog log;

    private long connectStartNanos;
    private long bytesIn;
    private long bytesOut;
    private boolean isHelloAwaited;
    private boolean started;

    /** @param client the client's address */
    public SessionReport(Worker worker, Listener listener, SocketAddress client) {
        this.log = SessionLog.of(worker, listener, client);
        this.worker = worker;
        this.listenerCounters = listener.counters().shard(worker.index());
        this.failures = listener.failures().shard(worker.index());
    }

    /** Records the start of the session, whether or not a backend is found. */
    public void started() {
        started = true;
        listenerCounters.increment(ListenerCounter.REQUESTS);
    }

    /**
     * Records the connection of the client.
     *
     * @param isTls whether Ballast has completed a TLS handshake on the connection. Otherwise, data is passed through
     *     unchanged, and may begin with a ClientHello that is not read yet
     */
    public void accepted(Channel client, boolean isTls) {
        if (log != null && isTls) {
            log.tls(TlsSessionInfo.of(client));
        }
        isHelloAwaited = log != null && !isTls;
    }

    /** Records a ClientHello that was read. */
    public void clientHelloRead(ClientHello hello) {
        isHelloAwaited = false;
        String name = hello.serverName();
        if (log != null && name != null) {
            log.serverName(name);
        }
    }

    /**
     * Counts data from the client; does not take ownership of {@code data}. Searches the first buffer for a TLS
     * server name (SNI).
     */
    public void received(ByteBuf data) {
        bytesIn += data.readableBytes();
        if (isHelloAwaited) {
            isHelloAwaited = false;
            try {
                ClientHello hello = ClientHelloReader.read(data);
                if (hello != null) {
                    clientHelloRead(hello);
                }
            } catch (IllegalArgumentException e) {
                // The data is not valid TLS; the backend handles it.
            }
        }
    }

    /** Counts bytes sent to the client. */
    public void countBytesOut(int bytes) {
        bytesOut += bytes;
    }

    /** Records that a connection to a backend is requested. */
    public void connecting(Backend backend) {
        connectStartNanos = worker.now();
        if (log != null) {
            log.connecting(backend);
        }
    }

    /** Sets the reason for a failed connect or the end of the session; may be empty. */
    public void reason(String text) {
        if (log != null) {
            log.reason(text);
        }
    }

    /** Records that the session is connected to the backend. */
    public void connected(Backend backend) {
        if (log != null) {
            log.connected();
        }
        Counters.Shard<BackendCounter> counters = counters(backend);
        counters.increment(BackendCounter.CONNECTS);
        counters.increment(BackendCounter.REQUESTS);
    }

    /** Records the backend's response time. */
    public void responded(Backend backend) {
        long now = worker.now();
        long took = now - connectStartNanos;
        backend.stats().latency(worker.index()).record(took);
        backend.responseTime().record(took, now);
    }

    /** Records a failure of the backend. */
    public void failed(Backend backend, Failure failure) {
        BackendCounter counter = failure.counter();
        if (counter != null) {
            counters(backend).increment(counter);
        }
        if (failure.source() == Failure.Source.BACKEND) {
            long now = worker.now();
            backend.responseTime().recordFailure(now - connectStartNanos, FAILURE_PENALTY_NANOS, now);
        }
    }

    /** Records that the session moves to another backend. */
    public void retried(Backend backend) {
        counters(backend).increment(BackendCounter.RETRIES);
    }

    /**
     * Ends the session. Does nothing if the start of the session was not recorded.
     *
     * @param pool the pool; null if none was found
     */
    public void end(@Nullable Pool pool, @Nullable Failure failure) {
        if (!started) {
            return;
        }
        started = false;
        if (log != null) {
            log.end(pool, failure, bytesIn, bytesOut);
        }
        boolean isError = failure != null && failure.isError();
        listenerCounters.increment(ListenerCounter.REQUESTS_COMPLETED);
        if (failure != null) {
            failures.increment(failure);
        }
        if (isError) {
            listenerCounters.increment(ListenerCounter.ERRORS);
        }
        if (pool != null) {
            Counters.Shard<PoolCounter> counters = pool.counters().shard(worker.index());
            counters.increment(PoolCounter.REQUESTS);
            if (isError) {
                counters.increment(PoolCounter.ERRORS);
            }
        }
    }

    private Counters.Shard<BackendCounter> counters(Backend backend) {
        return backend.stats().counters(worker.index());
    }
}
