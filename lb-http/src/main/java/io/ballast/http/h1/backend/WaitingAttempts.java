package io.ballast.http.h1.backend;

import static java.util.Objects.requireNonNull;

import io.ballast.net.timer.DeadlineWheel;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Attempts that wait for a backend connection, one queue per client connection. The clients take turns, each
 * with its oldest attempt. A client with thousands of requests therefore delays the others by only one
 * request per turn. A client that was not yet waiting goes first, so that a single request does not wait for
 * the turns of all other clients.
 *
 * <pre>
 *   next ──► client D (new) ──► client A ──► client B ──► client C ──┐
 *    ▲         1                 1 2 3        1             1 2      │
 *    └───────────────────────────────────────────────────────────────┘
 * </pre>
 *
 * <p>Cancelled attempts use no turn. They are removed at their turn or deadline, or as soon as they outnumber
 * the other attempts of their client.
 *
 * <p>Event-loop confined. Cost: amortized constant per operation; one object per waiting client.
 */
final class WaitingAttempts {

    /** Cancelled attempts are removed early only if a client's queue has at least this length. */
    static final int MIN_SWEPT = 64;

    private final IdentityHashMap<Object, Client> clients = new IdentityHashMap<>(0);
    /** The client whose turn is next. */
    private @Nullable Client next;

    /** An attempt that may wait in one queue at a time. Subclasses set its deadline. */
    abstract static class Attempt extends DeadlineWheel.Deadline {

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

    boolean isEmpty() {
        return next == null;
    }

    /** Adds an attempt. */
    void add(Attempt attempt) {
        Client client = clients.computeIfAbsent(attempt.owner(), this::addFirstClient);
        client.sweepIfMany();
        client.add(attempt);
    }

    private Client addFirstClient(Object owner) {
        Client client = new Client(owner);
        Client second = next;
        if (second != null) {
            client.following = second;
            client.preceding = second.preceding;
            second.preceding.following = client;
            second.preceding = client;
        }
        next = client;
        return client;
    }

    /** Removes an attempt; false if it was not waiting. */
    boolean remove(Attempt attempt) {
        Client client = attempt.client;
        if (client == null) {
            return false;
        }
        client.remove(attempt);
        removeIfDone(client);
        return true;
    }

    /** Removes and returns the next attempt; null if none is waiting. */
    @Nullable Attempt poll() {
        while (next != null) {
            Client client = next;
            Attempt attempt = requireNonNull(client.oldest);
            boolean wanted = attempt.isRequested();
            client.remove(attempt);
            if (wanted) {
                next = client.following;
            }
            removeIfDone(client);
            attempt.waitEnded();
            if (wanted) {
                return attempt;
            }
        }
        return null;
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
