package io.ballast.http.h2.backend;

import io.ballast.core.backend.Backend;
import io.ballast.http.connect.BackendConnector;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Establishes an HTTP/2 connection, and retries while no file descriptor is free. Event-loop confined. */
final class ConnectRetry {

    /** Interval between retries while no file descriptor is available. */
    private static final Duration DESCRIPTOR_RETRY = Duration.ofMillis(100);

    private final Http2BackendPool pool;
    private final Http2BackendConnection connection;
    private final PendingAttempts waiters;
    private final BudgetedRecvByteBufAllocator reads;
    private final DeadlineWheel.Deadline deadline;

    private @Nullable Supplier<ByteBuf> opening;
    private boolean lacksDescriptor;
    private long descriptorEndNanos;

    /**
     * @param waiters the attempts that wait for the connection
     * @param reads the buffer allocator for reads
     * @param deadline the connection's deadline; if it expires before the connection is established, the
     *     connection calls {@link #retry}
     */
    ConnectRetry(
            Http2BackendPool pool,
            Http2BackendConnection connection,
            PendingAttempts waiters,
            BudgetedRecvByteBufAllocator reads,
            DeadlineWheel.Deadline deadline) {
        this.pool = pool;
        this.connection = connection;
        this.waiters = waiters;
        this.reads = reads;
        this.deadline = deadline;
    }

    /** @param first creates the first data to write; null for none */
    void start(@Nullable Supplier<ByteBuf> first) {
        opening = first;
        Backend backend = pool.backend();
        BackendConnector.connect(
                worker(),
                connection.loop().security(backend),
                backend,
                pool.settings(),
                connection,
                reads,
                opening,
                this::done);
    }

    private void done(@Nullable Failure failure, String reason) {
        if (failure == null) {
            connection.connected();
        } else if (failure != Failure.NO_DESCRIPTORS || connection.isClosed() || !scheduleRetry()) {
            connection.connectFailed(failure, reason);
        }
    }

    /**
     * Schedules a retry because no file descriptor is free. The first call always does so. A later call returns
     * false after the connect timeout, or if no other connection exists whose end could free a descriptor.
     */
    private boolean scheduleRetry() {
        long now = worker().now();
        boolean isFirst = !lacksDescriptor;
        if (isFirst) {
            lacksDescriptor = true;
            descriptorEndNanos = now + pool.settings().connectTimeout().toNanos();
        } else if (now - descriptorEndNanos >= 0 || pool.isOnlyConnection(connection)) {
            return false;
        }
        worker().setDeadline(deadline, DESCRIPTOR_RETRY);
        return true;
    }

    private Worker worker() {
        return connection.loop().worker;
    }

    /** Moves waiting attempts to connections with capacity, and retries to connect for the remaining attempts. */
    void retry() {
        Http2BackendConnection other = pool.findOtherWithCapacity(connection);
        while (other != null) {
            AttemptTicket next = waiters.next();
            if (next == null) {
                break;
            }
            next.connect(other::open);
            other = pool.findOtherWithCapacity(connection);
        }
        waiters.sweep();
        if (waiters.isEmpty()) {
            connection.abandon();
        } else {
            start(opening);
        }
    }
}
