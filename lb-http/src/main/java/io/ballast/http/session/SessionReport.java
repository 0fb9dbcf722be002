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
import io.ballast.net.tls.TlsFacts;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a session tells of itself. To listener, pool and backend it is one request, however long it takes. A backend's
 * response time is what says something about the backend rather than about the client: the time until it is connected (TCP),
 * or until its first answer (UDP). Event-loop confined.
 */
public final class SessionReport {

    /** A backend that fails must not look faster than this to least-response-time. */
    private static final long FAILURE_PENALTY_NANOS = Duration.ofSeconds(1).toNanos();

    private final Worker worker;
    private final Counters.Shard<ListenerCounter> listenerCounters;
    private final Counters.Shard<Failure> failures;
    /** Null if sessions are not logged. */
    private final @Nullable SessionLog log;

    private long sinceNanos;
    private long bytesIn;
    private long bytesOut;
    private boolean isHelloAwaited;
    private boolean begun;

    /** @param client whose session it is */
    public SessionReport(Worker worker, Listener listener, SocketAddress client) {
        this.log = SessionLog.of(worker, listener, client);
        this.worker = worker;
        this.listenerCounters = listener.counters().shard(worker.index());
        this.failures = listener.failures().shard(worker.index());
    }

    /** The session begins, whether there is a backend for it or not. */
    public void begun() {
        begun = true;
        listenerCounters.increment(ListenerCounter.REQUESTS);
    }

    /** The client's TLS ends here; its handshake is done. */
    public void secured(Channel client) {
        if (log != null) {
            log.tls(TlsFacts.of(client));
        }
    }

    /** What the client sends goes to the backend as it is, and may be TLS, of which nothing was read yet. */
    public void passesThrough() {
        isHelloAwaited = log != null;
    }

    /** The first message of TLS was read. */
    public void asked(ClientHello hello) {
        isHelloAwaited = false;
        String name = hello.serverName();
        if (log != null && name != null) {
            log.serverName(name);
        }
    }

    /** The client sent something, which is borrowed. Looks at the first piece for the name that a client of TLS asks for. */
    public void received(ByteBuf data) {
        bytesIn += data.readableBytes();
        if (isHelloAwaited) {
            isHelloAwaited = false;
            try {
                ClientHello hello = ClientHelloReader.read(data);
                if (hello != null) {
                    asked(hello);
                }
            } catch (IllegalArgumentException e) {
                // It only begins like TLS; the backend is to judge that.
            }
        }
    }

    /** The client gets so much. */
    public void answered(int bytes) {
        bytesOut += bytes;
    }

    /** A backend is to get the session. */
    public void connecting(Backend backend) {
        sinceNanos = worker.now();
        if (log != null) {
            log.connecting(backend);
        }
    }

    /** The backend could not be reached, or why the session ended, in words; empty if there is nothing to say. */
    public void reason(String text) {
        if (log != null) {
            log.reason(text);
        }
    }

    /** The backend has it. */
    public void connected(Backend backend) {
        if (log != null) {
            log.connected();
        }
        Counters.Shard<BackendCounter> counters = counters(backend);
        counters.increment(BackendCounter.CONNECTS);
        counters.increment(BackendCounter.REQUESTS);
    }

    /** The backend has shown how fast it is. */
    public void responded(Backend backend) {
        long now = worker.now();
        long took = now - sinceNanos;
        backend.stats().latency(worker.index()).record(took);
        backend.responseTime().record(took, now);
    }

    /** The backend failed it. */
    public void failed(Backend backend, Failure failure) {
        BackendCounter counter = failure.counter();
        if (counter != null) {
            counters(backend).increment(counter);
        }
        if (failure.source() == Failure.Source.BACKEND) {
            long now = worker.now();
            backend.responseTime().recordFailure(now - sinceNanos, FAILURE_PENALTY_NANOS, now);
        }
    }

    /** Another backend is tried. */
    public void left(Backend backend) {
        counters(backend).increment(BackendCounter.RETRIES);
    }

    /**
     * It is over; counts nothing if it never began.
     *
     * @param pool null if none was found
     */
    public void over(@Nullable Pool pool, @Nullable Failure failure) {
        if (!begun) {
            return;
        }
        begun = false;
        if (log != null) {
            log.over(pool, failure, bytesIn, bytesOut);
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
