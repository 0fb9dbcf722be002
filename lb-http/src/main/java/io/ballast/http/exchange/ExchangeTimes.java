package io.ballast.http.exchange;

import io.ballast.core.backend.Backend;

/**
 * When the phases of an exchange began, and whom it went to; for the access log, which asks after the exchange is over.
 * All times are those at which the event loop last read the clock. Event-loop confined.
 */
public final class ExchangeTimes {

    /** For a phase that did not take place. */
    public static final long NEVER = -1;

    private static final byte[] NOBODY = {};

    private long begun;
    private long picked;
    private long connected;
    private long queueNanos;
    private long connectNanos;
    private long firstByteNanos;
    private int attempts;
    private byte[] backendAddress = NOBODY;
    private String reason = "";

    void begin(long now) {
        begun = now;
        queueNanos = NEVER;
        connectNanos = NEVER;
        firstByteNanos = NEVER;
        attempts = 0;
        backendAddress = NOBODY;
        reason = "";
    }

    /** A connection to a backend is asked for. */
    void connect(Backend backend, long now) {
        picked = now;
        queueNanos = now - begun;
        connectNanos = NEVER;
        attempts++;
        backendAddress = backend.addressOctets();
        reason = "";
    }

    void reason(String text) {
        reason = text;
    }

    /** Why the last try failed, in words; empty if there is nothing to say. */
    public String reason() {
        return reason;
    }

    void connected(long now) {
        connected = now;
        connectNanos = now - picked;
    }

    /** The head of the response came. */
    void answered(long now) {
        firstByteNanos = now - connected;
    }

    /** From the beginning to the last choice of a backend, earlier attempts included. */
    public long queueNanos() {
        return queueNanos;
    }

    /** From that choice to a connection. */
    public long connectNanos() {
        return connectNanos;
    }

    /** From the connection to the head of the response. */
    public long firstByteNanos() {
        return firstByteNanos;
    }

    /** How often a connection was asked for. */
    public int attempts() {
        return attempts;
    }

    /** The address of the last backend asked; empty if none was. Not to be written to. */
    public byte[] backendAddress() {
        return backendAddress;
    }
}
