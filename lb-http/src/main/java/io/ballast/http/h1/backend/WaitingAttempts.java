package io.ballast.http.h1.backend;

import static java.util.Objects.requireNonNull;

import io.ballast.net.timer.DeadlineWheel;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Attempts that wait for a connection to a backend, one queue for each client connection. The clients have their turns one
 * after the other, each for one attempt, its oldest: a client with thousands of requests delays the others by no more than
 * one of them. A client that has not waited goes first, so that one with a single request is not behind a crowd that came
 * before it.
 *
 * <pre>
 *   next ──► client D (new) ──► client A ──► client B ──► client C ──┐
 *    ▲         1                 1 2 3        1             1 2      │
 *    └───────────────────────────────────────────────────────────────┘
 * </pre>
 *
 * <p>Attempts that were given up meanwhile cost no turn. They are let go of when their turn or their deadline comes, or as
 * soon as they are as many as the others of their client.
 *
 * <p>Event-loop confined. Cost: constant for each step, on average; an object for a client that waits.
 */
final class WaitingAttempts {

    /** Up to so many of one client, it is not looked whether they are still wanted. */
    static final int LEAST_SWEPT = 64;

    private final IdentityHashMap<Object, Client> clients = new IdentityHashMap<>(0);
    /** Whose turn it is. */
    private @Nullable Client next;

    /** An attempt that may wait, in one place at a time. Its deadline is the business of who makes it. */
    abstract static class Attempt extends DeadlineWheel.Deadline {

        private @Nullable Client client;
        private @Nullable Attempt newer;
        private @Nullable Attempt older;

        /** Whose it is: the same object for all attempts of a client connection. */
        protected abstract Object owner();

        /** Whether the exchange still wants a connection. */
        protected abstract boolean isWanted();

        /** It waits no longer, because it has its turn, or was given up. */
        protected abstract void over();
    }

    /** Those of one client, and its place among the clients. */
    private static final class Client {

        private final Object owner;
        private Client following = this;
        private Client preceding = this;
        private @Nullable Attempt oldest;
        private @Nullable Attempt newest;
        private int count;
        private int sweptAt = LEAST_SWEPT;

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
                if (!each.isWanted()) {
                    remove(each);
                    each.over();
                }
                each = newer;
            }
            sweptAt = Math.max(LEAST_SWEPT, 2 * count);
        }
    }

    boolean isEmpty() {
        return next == null;
    }

    /** The attempt waits from now on. */
    void add(Attempt attempt) {
        Client client = clients.computeIfAbsent(attempt.owner(), this::goingFirst);
        client.sweepIfMany();
        client.add(attempt);
    }

    private Client goingFirst(Object owner) {
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

    /** Whether the attempt waited, which it does no longer. */
    boolean remove(Attempt attempt) {
        Client client = attempt.client;
        if (client == null) {
            return false;
        }
        client.remove(attempt);
        removeIfDone(client);
        return true;
    }

    /** The attempt whose turn it is, which waits no longer; null if none does. */
    @Nullable Attempt poll() {
        while (next != null) {
            Client client = next;
            Attempt attempt = requireNonNull(client.oldest);
            boolean wanted = attempt.isWanted();
            client.remove(attempt);
            if (wanted) {
                next = client.following;
            }
            removeIfDone(client);
            attempt.over();
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
