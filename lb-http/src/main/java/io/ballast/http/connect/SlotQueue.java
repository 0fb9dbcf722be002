package io.ballast.http.connect;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendConnections;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.net.DescriptorQueue;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Attempts that wait because all connections of a backend are full and the process has no file descriptor for another
 * one. The connections are shared: each has slots for several exchanges, such as the streams of HTTP/2. A free
 * slot or a free descriptor is given to the first waiting attempt. An attempt fails after the connect timeout. It fails
 * earlier if the backend has had no connection for the interval of {@link DescriptorQueue}. The queue is fair between
 * clients: see {@link WaitingAttempts}.
 *
 * <p>Event-loop confined. Cost: constant, one object per waiting attempt.
 */
public final class SlotQueue implements DescriptorQueue.Source {

    /** The shared connections of one event loop to one backend. */
    public interface Connections {

        /** Whether there is a connection. A connection that is being opened counts, too. */
        boolean hasConnection();

        /**
         * Whether there is a connection whose end could free a descriptor. Also true if {@link #hasConnection} is true.
         */
        boolean mayFreeDescriptor();

        /** Returns the binder of a connection with a free slot; null if there is none. */
        AttemptTicket.@Nullable Binder findSlot();

        /**
         * Opens a connection and lets the attempt of {@code ticket} wait for it; false if no file descriptor is free.
         */
        boolean connect(AttemptTicket ticket);

        /** Called when the last attempt has stopped waiting. */
        void queueEmptied();
    }

    private final Worker worker;
    private final Backend backend;
    private final BackendConnections settings;
    private final Connections connections;
    private final WaitingAttempts waiting = new WaitingAttempts();
    private final NoConnectionTimer noConnection;
    private boolean assignScheduled;

    /**
     * @param noConnection decides when attempts fail because there has been no connection for too long; the owner of
     *     the connections resets it for each new connection
     */
    public SlotQueue(
            Worker worker,
            Backend backend,
            BackendConnections settings,
            Connections connections,
            NoConnectionTimer noConnection) {
        this.noConnection = noConnection;
        this.worker = worker;
        this.backend = backend;
        this.settings = settings;
        this.connections = connections;
    }

    private final class Waiting extends WaitingAttempts.Attempt {

        private final AttemptTicket ticket;

        Waiting(AttemptTicket ticket) {
            this.ticket = ticket;
        }

        @Override
        protected Object owner() {
            return ticket.client();
        }

        @Override
        protected boolean isRequested() {
            return ticket.isValid();
        }

        @Override
        protected void waitEnded() {
            worker.deadlines().remove(this);
            count(BackendCounter.CONNECTION_WAITS_OVER);
            if (waiting.isEmpty()) {
                connections.queueEmptied();
            }
        }

        @Override
        protected void expired(long nowNanos) {
            if (waiting.remove(this)) {
                waitEnded();
                fail();
            }
        }

        private void fail() {
            ticket.connectFailed(Failure.NO_DESCRIPTORS, DescriptorQueue.NO_DESCRIPTOR);
        }
    }

    /** Whether no attempt waits. If attempts wait, new attempts must wait, too. */
    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Adds an attempt, because no slot and no descriptor is free. */
    public void add(AttemptTicket ticket) {
        Waiting attempt = new Waiting(ticket);
        count(BackendCounter.CONNECTION_WAITS);
        worker.setDeadline(attempt, settings.connectTimeout());
        waiting.add(attempt);
        if (worker.descriptors().add(this)) {
            noConnection.reset();
            isWithoutConnection();
        }
    }

    private boolean isWithoutConnection() {
        return noConnection.isOver(!connections.mayFreeDescriptor(), worker.now());
    }

    /** Called when a slot may have become free. Costs one comparison if no attempt waits. */
    public void slotFreed() {
        if (!waiting.isEmpty() && !assignScheduled) {
            assignScheduled = true;
            worker.eventLoop().execute(() -> {
                assignScheduled = false;
                assignSlots();
            });
        }
    }

    private void assignSlots() {
        while (!waiting.isEmpty()) {
            AttemptTicket.Binder slot = connections.findSlot();
            if (slot == null || !(waiting.poll() instanceof Waiting next)) {
                return;
            }
            next.ticket.connect(slot);
        }
    }

    @Override
    public Turn connectNext() {
        assignSlots();
        if (!(waiting.peek() instanceof Waiting first)) {
            return Turn.NOT_NEEDED;
        }
        if (!connections.connect(first.ticket)) {
            return Turn.NO_DESCRIPTOR;
        }
        waiting.poll();
        assignSlots(); // other attempts can share the connection
        return Turn.USED;
    }

    @Override
    public boolean hasConnection() {
        return connections.hasConnection();
    }

    @Override
    public void remainsShort() {
        if (isWithoutConnection()) {
            worker.descriptors().remove(this);
            List<Waiting> failed = new ArrayList<>(); // a failure may queue a new attempt
            while (waiting.poll() instanceof Waiting next) {
                failed.add(next);
            }
            failed.forEach(Waiting::fail);
        }
    }

    private void count(BackendCounter counter) {
        backend.stats().counters(worker.index()).increment(counter);
    }
}
