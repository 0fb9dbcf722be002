package io.ballast.dns.net.stream;

import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.net.clientlimit.ConnectionsPerClient;
import io.ballast.net.timer.DeadlineWheel;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop, in the order of their last query. The connections themselves are the
 * nodes of this linked list.
 *
 * <p>When the limit of connections is reached, a new connection replaces the connection that has been idle
 * for longest, as in gdnsd. If new connections were refused instead, silent clients could lock out all other
 * clients. Each event loop has an equal share of the limit, so that loops do not have to coordinate.
 *
 * <p>Thread safety: confined to the event loop. Cost: constant for a connection and for a message.
 */
final class StreamLoop {

    private final AnswerLoop answerLoop;
    private long idleNanos;
    private long messageNanos;
    private int maxConnections;
    private ConnectionsPerClient connectionsPerClient;
    private @Nullable StreamConnection longestIdle;
    private @Nullable StreamConnection lastActive;
    private int open;

    StreamLoop(AnswerLoop answers, DnsTcpConfig limits, int places, ConnectionsPerClient clients) {
        this.answerLoop = answers;
        this.idleNanos = limits.idle().toNanos();
        this.messageNanos = limits.message().toNanos();
        this.maxConnections = places;
        this.connectionsPerClient = clients;
    }

    /** Activates new limits, also for open connections. */
    void setLimits(DnsTcpConfig limits, int max, ConnectionsPerClient otherClients) {
        idleNanos = limits.idle().toNanos();
        messageNanos = limits.message().toNanos();
        maxConnections = max;
        connectionsPerClient = otherClients;
        while (open > maxConnections && longestIdle != null) {
            longestIdle.abort(DnsCounter.EVICTED);
        }
        for (StreamConnection each = longestIdle; each != null; each = each.next) {
            each.onLimitsChanged();
        }
    }

    /** Closes the connections of a protocol, each as soon as it is idle. */
    void retire(StreamService service) {
        StreamConnection next;
        for (StreamConnection each = longestIdle; each != null; each = next) {
            next = each.next;
            if (each.service() == service) {
                each.retire();
            }
        }
    }

    AnswerLoop answerLoop() {
        return answerLoop;
    }

    /** Returns the counter of connections per client, which all loops share. */
    ConnectionsPerClient connectionsPerClient() {
        return connectionsPerClient;
    }

    long now() {
        return answerLoop.readClock();
    }

    /** Idle timeout of a connection. */
    long idleNanos() {
        return idleNanos;
    }

    /** Time limit for receiving a message or for reading a response. */
    long messageNanos() {
        return messageNanos;
    }

    DeadlineWheel deadlines() {
        return answerLoop.deadlines();
    }

    /** Admits a new connection, and evicts another one if the limit is reached. */
    void open(StreamConnection connection) {
        if (open == maxConnections && longestIdle != null) {
            longestIdle.abort(DnsCounter.EVICTED);
        }
        append(connection);
        open++;
    }

    /** Frees the slot of a connection. */
    void removeConnection(StreamConnection connection) {
        unlink(connection);
        open--;
    }

    /** Moves an admitted connection to the end of the loop's list, as the most recently active connection. */
    void markActive(StreamConnection connection) {
        if (connection != lastActive) {
            unlink(connection);
            append(connection);
        }
    }

    void closeAll() {
        while (longestIdle != null) {
            longestIdle.close();
        }
    }

    private void append(StreamConnection connection) {
        connection.previous = lastActive;
        connection.next = null;
        if (lastActive == null) {
            longestIdle = connection;
        } else {
            lastActive.next = connection;
        }
        lastActive = connection;
    }

    private void unlink(StreamConnection connection) {
        StreamConnection previous = connection.previous;
        StreamConnection next = connection.next;
        if (previous == null) {
            longestIdle = next;
        } else {
            previous.next = next;
        }
        if (next == null) {
            lastActive = previous;
        } else {
            next.previous = previous;
        }
        connection.previous = null;
        connection.next = null;
    }
}
