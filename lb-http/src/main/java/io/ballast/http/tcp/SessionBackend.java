package io.ballast.http.tcp;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.pool.Pool;
import io.ballast.http.connect.BackendConnector;
import io.ballast.http.exchange.Listener;
import io.ballast.http.net.DescriptorQueue;
import io.ballast.http.net.PeerAddress;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.ProxiedClient;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.AttemptHistory;
import io.ballast.http.relay.BackendChoice;
import io.ballast.http.relay.BackendSearch;
import io.ballast.http.relay.ClientKeys;
import io.ballast.http.relay.Failure;
import io.ballast.http.session.SessionReport;
import io.ballast.net.timer.DeadlineWheel;
import java.net.SocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The backend of a session and the connection to it. Searches for a backend and connects to it. If the connect fails,
 * tries another backend. If no file descriptor is free, waits for a descriptor up to the connect timeout. Event-loop
 * confined.
 */
final class SessionBackend {

    private final TcpSession session;
    private final Worker worker;
    private final Listener listener;
    private final PoolTls tls;
    private final ProxiedClient proxiedClient;
    private final SessionReport report;
    private final Consumer<Failure> onFailure;
    private final AttemptHistory attempts;
    private final BackendChoice choice;
    private final BackendSearch search;

    private @Nullable RelayChannel channel;
    /** The wait for a file descriptor; null if there is none. */
    private @Nullable DescriptorWait wait;
    /** Bytes received from and sent to backends whose connection failed. */
    private long failedChannelBytes;

    /** @param onFailure called if there is no backend, or if no connection can be established */
    SessionBackend(
            TcpSession session,
            Worker worker,
            Listener listener,
            PoolTls tls,
            ProxiedClient proxiedClient,
            SessionReport report,
            Consumer<Failure> onFailure) {
        this.session = session;
        this.worker = worker;
        this.listener = listener;
        this.tls = tls;
        this.proxiedClient = proxiedClient;
        this.report = report;
        this.onFailure = onFailure;
        this.attempts = new AttemptHistory(worker.index());
        SocketAddress client = proxiedClient.client();
        ClientKeys keys = new ClientKeys(PeerAddress.affinity(client, worker.random()));
        keys.setAddress(PeerAddress.bytes(client));
        this.choice = new BackendChoice(worker, attempts, keys);
        this.search = new BackendSearch(worker, choice, this::connect, onFailure);
    }

    /** Sets the pool of the session. */
    void begin(Pool target) {
        choice.begin(target);
        attempts.begin(target, /* isIdempotent= */ false, /* isRepeatable= */ false, worker.now());
    }

    /**
     * Searches for a backend of the pool, and connects to it; then calls {@link TcpSession#relay}.
     *
     * @param generation the generation of the topology whose routes selected the pool
     */
    void search(int generation) {
        search.begin(choice.pool(), generation);
    }

    /** The backend that was chosen. */
    Backend backend() {
        return choice.backend();
    }

    /** The connection to the backend, which may not be established yet; null if there is none. */
    @Nullable RelayChannel channel() {
        return channel;
    }

    /** The connection to the backend, which is established. */
    RelayChannel connectedChannel() {
        return requireNonNull(channel);
    }

    /** The number of bytes received from and sent to backends since the start. Never decreases. */
    long movedBytes() {
        return failedChannelBytes + (channel == null ? 0 : channel.movedBytes());
    }

    private BackendConnections settings() {
        return choice.pool().config().connections();
    }

    private void connect(Backend target) {
        choice.setBackend(target);
        report.connecting(target);
        if (worker.descriptors().isShort() || !openChannel(target)) {
            wait = new DescriptorWait(target);
        }
    }

    /** Begins to connect; false if no file descriptor is free. */
    private boolean openChannel(Backend target) {
        RelayChannel started = new RelayChannel(session, worker, worker.newReadAllocator());
        ProxiedClient proxied = ProxiedClient.of(settings(), proxiedClient);
        channel = started;
        if (BackendConnector.connect(
                worker,
                tls.ofSessions(target),
                target,
                settings(),
                started,
                started.readAllocator(),
                proxied == null ? null : proxied.header(settings(), worker.allocator()),
                (failure, reason) -> connectDone(started, failure, reason))) {
            return true;
        }
        channel = null;
        return false;
    }

    /** The wait for a file descriptor, up to the connect timeout. The wait begins when this object is created. */
    private final class DescriptorWait extends DeadlineWheel.Deadline implements DescriptorQueue.Source {

        private final Backend target;

        DescriptorWait(Backend target) {
            this.target = target;
            count(BackendCounter.CONNECTION_WAITS);
            worker.setDeadline(this, settings().connectTimeout());
            worker.descriptors().add(this);
        }

        @Override
        public Turn connectNext() {
            if (wait != this) {
                return Turn.NOT_NEEDED;
            }
            if (!openChannel(target)) {
                return Turn.NO_DESCRIPTOR;
            }
            end();
            return Turn.USED;
        }

        @Override
        public boolean hasConnection() {
            return false;
        }

        @Override
        public void remainsShort() {
            // Any connection of the process may free a descriptor, so the session waits until its deadline.
        }

        /** Fails the session. Another backend is not tried, because its connection would also need a descriptor. */
        @Override
        protected void expired(long nowNanos) {
            end();
            report.reason(DescriptorQueue.NO_DESCRIPTOR);
            report.failed(target, Failure.NO_DESCRIPTORS);
            onFailure.accept(Failure.NO_DESCRIPTORS);
        }

        void end() {
            wait = null;
            worker.deadlines().remove(this);
            worker.descriptors().remove(this);
            count(BackendCounter.CONNECTION_WAITS_OVER);
        }

        private void count(BackendCounter counter) {
            target.stats().counters(worker.index()).increment(counter);
        }
    }

    private void connectDone(RelayChannel done, @Nullable Failure failure, String reason) {
        if (channel != done || !session.isSearching()) {
            done.close(); // the session no longer needs this connection
        } else if (failure != null) {
            connectFailed(done, failure, reason);
        } else {
            session.relay(done);
        }
    }

    private void connectFailed(RelayChannel tried, Failure failure, String reason) {
        Backend failed = choice.backend();
        failedChannelBytes += tried.movedBytes();
        channel = null;
        report.reason(reason);
        if (failure.source() == Failure.Source.BACKEND) {
            listener.failureListener().connectFailed(failed, reason);
        }
        report.failed(failed, failure);
        Backend another = attempts.mayTryAnother(failure, worker.now()) ? choice.reserveAnother() : null;
        if (another == null) {
            onFailure.accept(failure);
            return;
        }
        report.retried(failed);
        choice.release(failed);
        connect(another);
    }

    /** Leaves the queue because the client has disconnected. */
    void leaveQueueOnDisconnect() {
        search.leaveQueueOnDisconnect();
    }

    /** Stops waiting for a backend or for a file descriptor. */
    void leaveQueue() {
        search.leaveQueue();
        if (wait != null) {
            wait.end();
        }
    }

    /** Releases the slot on the backend. */
    void release() {
        choice.end();
    }
}
