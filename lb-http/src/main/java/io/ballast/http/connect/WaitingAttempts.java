package io.ballast.http.connect;

import static java.util.Objects.requireNonNull;

import io.ballast.net.timer.DeadlineWheel;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Attempts that wait for a backend connection, one queue per client connection. The clients take turns, each with its
 * oldest attempt, in the order in which they began to wait. A client with thousands of requests therefore delays the
 * other clients by only one request per turn. Clients with one request each are served in the order of arrival.
 *
 * <pre>
 *   next ──► client A ──► client B ──► client C ──► client D (new) ──┐
 *    ▲        1 2 3        1            1 2          1               │
 *    └───────────────────────────────────────────────────────────────┘
 * </pre>
 *
 * <p>Cancelled attempts use no turn. They are removed at their turn or deadline, or as soon as they outnumber
 * the other attempts of their client.
 *
 * <p>Event-loop confined. Cost: amortized constant per operation; one object per waiting client.
 */
public final class WaitingAttempts {

    /** Cancelled attempts are removed early only if a client's queue has at least this length. */
    static final int MIN_SWEPT = 64;

    private final IdentityHashMap<Object, Client> clients = new IdentityHashMap<>(0);
    /** The client whose turn is next. */
    private @Nullable Client next;

    /** An attempt that can wait in at most one queue at a time. Subclasses set its deadline. */
    public abstract static class Attempt extends DeadlineWheel.Deadline {

        private @Nullable Client client;
        private @Nullable Attempt newer;
        private @Nullable Attempt older;

        /** The owner of the attempt: the same object for all attempts of a client connection. */
        protected abstract Object owner();

        /** Whether the exchange still needs a connection. */
        protected abstract boolean isRequested();

        /** Called when the attempt stops waiting, either because it is its turn or because it was cancelled. */
        protected abstract void waitEnded();
    }

    /** The waiting attempts of one client. It is also a node in the circular list of clients. */
    private static final class Client {

        private final Object owner;
        private Client following = this;
        private Client preceding = this;
        private @Nullable Attempt oldest;
        private @Nullable Attempt newest;
        private int count;
        private int sweptAt = MIN_SWEPT;

        Client(Object owner) {
            this.owner = owner;
        }

        void add(Attempt attempt) {
            Attempt last = newest;
            attempt.client = this;
            attempt.older = last;
            if (last == null) {
                oldest = attempt;
            } else {
                last.newer = attempt;
            }
            newest = attempt;
            count++;
        }

        void remove(Attempt attempt) {
            Attempt older = attempt.older;
            Attempt newer = attempt.newer;
            if (older == null) {
                oldest = newer;
            } else {
                older.newer = newer;
            }
            if (newer == null) {
                newest = older;
            } else {
                newer.older = older;
            }
            attempt.client = null;
            attempt.older = null;
            attempt.newer = null;
            count--;
        }

        void sweepIfMany() {
            if (count < sweptAt) {
                return;
            }
            Attempt each = oldest;
            while (each != null) {
                Attempt newer = each.newer;
                if (!each.isRequested()) {
                    remove(each);
                    each.waitEnded();
                }
                each = newer;
            }
            sweptAt = Math.max(MIN_SWEPT, 2 * count);
        }
    }

    /** Whether no attempt waits. */
    public boolean isEmpty() {
        return next == null;
    }

    /** Adds an attempt. */
    public void add(Attempt attempt) {
        Client client = clients.computeIfAbsent(attempt.owner(), this::addLastClient);
        client.sweepIfMany();
        client.add(attempt);
    }

    private Client addLastClient(Object owner) {
        Client client = new Client(owner);
        Client first = next;
        if (first == null) {
            next = client;
        } else {
            client.following = first;
            client.preceding = first.preceding;
            first.preceding.following = client;
            first.preceding = client;
        }
        return client;
    }

    /** Removes an attempt; false if it was not waiting. */
    public boolean remove(Attempt attempt) {
        Client client = attempt.client;
        if (client == null) {
            return false;
        }
        client.remove(attempt);
        removeIfDone(client);
        return true;
    }

    /** Returns the next attempt, which keeps its place; null if none is waiting. Removes cancelled attempts. */
    public @Nullable Attempt peek() {
        while (next != null) {
            Attempt attempt = requireNonNull(next.oldest);
            if (attempt.isRequested()) {
                return attempt;
            }
            end(attempt, next);
        }
        return null;
    }

    /** Removes and returns the next attempt, and gives the next client its turn; null if none is waiting. */
    public @Nullable Attempt poll() {
        Attempt attempt = peek();
        if (attempt != null) {
            Client client = requireNonNull(next);
            next = client.following;
            end(attempt, client);
        }
        return attempt;
    }

    private void end(Attempt attempt, Client client) {
        client.remove(attempt);
        removeIfDone(client);
        attempt.waitEnded();
    }

    private void removeIfDone(Client client) {
        if (client.oldest != null) {
            return;
        }
        clients.remove(client.owner);
        if (client.following == client) {
            next = null;
            return;
        }
        client.preceding.following = client.following;
        client.following.preceding = client.preceding;
        if (next == client) {
            next = client.following;
        }
    }
}
