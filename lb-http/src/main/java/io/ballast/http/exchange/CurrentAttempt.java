package io.ballast.http.exchange;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * The state of an exchange's current attempt: its phase, its number, and its connection to the backend. One object
 * serves all exchanges of a client connection, in sequence. Event-loop confined.
 */
final class CurrentAttempt {

    private enum Phase {
        IDLE,
        SEARCHING,
        CONNECTING,
        SENDING,
        RECEIVING,
        TUNNEL
    }

    private Phase phase = Phase.IDLE;
    /** Counts the attempts of all requests that use this object; see {@link AttemptTicket}. */
    private long number;
    /** The connection to the backend; null if there is none. */
    private @Nullable BackendSide connection;
    /** Whether the client is passing the head and the first part of its request to the backend. */
    private boolean sending;

    // ---- phases

    /** Begins the exchange, which now searches for a backend. */
    void search() {
        phase = Phase.SEARCHING;
    }

    /** Begins an attempt, which waits for its connection. */
    void begin() {
        phase = Phase.CONNECTING;
        number++;
    }

    void setConnection(BackendSide side) {
        connection = side;
    }

    /** Lets the client pass its request to the connection. */
    void send(ClientSide client) {
        phase = Phase.SENDING;
        sending = true;
        client.sendRequest(requireNonNull(connection));
        sending = false;
    }

    /** Records that the backend has responded; no retry is possible after that. */
    void receive() {
        phase = Phase.RECEIVING;
    }

    void tunnel() {
        phase = Phase.TUNNEL;
    }

    /** Detaches the connection and returns it; null if there was none. */
    @Nullable BackendSide disconnect() {
        BackendSide detached = connection;
        connection = null;
        return detached;
    }

    void end() {
        connection = null;
        phase = Phase.IDLE;
    }

    // ---- queries

    long number() {
        return number;
    }

    boolean isRunning() {
        return phase != Phase.IDLE;
    }

    boolean isSending() {
        return sending;
    }

    boolean isTunnel() {
        return phase == Phase.TUNNEL;
    }

    /** Whether the client has received a part of the response, or data of a tunnel. */
    boolean hasResponse() {
        return phase == Phase.RECEIVING || phase == Phase.TUNNEL;
    }

    /** Whether the attempt with this number is the current one and is waiting for its connection. */
    boolean isConnecting(long numbered) {
        return number == numbered && phase == Phase.CONNECTING;
    }

    /** Whether the attempt with this number is the current one and has its connection. */
    boolean isConnected(long numbered) {
        return number == numbered && (phase == Phase.SENDING || hasResponse());
    }

    // ---- the connection

    @Nullable BackendSide connection() {
        return connection;
    }

    boolean isWritable() {
        return connection != null && connection.isWritable();
    }

    /** The number of bytes that wait to be sent to the backend. */
    long pendingBytes() {
        return connection == null ? 0 : connection.pendingBytes();
    }

    /** Starts or stops reading the response; does nothing if there is no connection. */
    void setReading(boolean on) {
        if (connection != null) {
            connection.setReading(on);
        }
    }
}
