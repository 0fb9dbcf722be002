package io.ballast.http.exchange;

/**
 * The start times of an exchange's phases and its last backend. The access log reads them after the exchange
 * has ended. All times are from the event loop's cached clock. Event-loop confined.
 */
public final class ExchangeTimes {

    /** Value for a phase that did not happen. */
    public static final long NEVER = -1;

    private static final byte[] NO_ADDRESS = {};

    private long started;
    private long picked;
    private long connected;
    private long queueNanos;
    private long connectNanos;
    private long firstByteNanos;
    private int attempts;
    private byte[] backendAddress = NO_ADDRESS;
    private String reason = "";

    void begin(long now) {
        started = now;
        queueNanos = NEVER;
        connectNanos = NEVER;
        firstByteNanos = NEVER;
        attempts = 0;
        backendAddress = NO_ADDRESS;
        reason = "";
    }

    /**
     * Records that a connection to a backend is requested.
     *
     * @param address the backend's address; the array is kept but not modified
     */
    void connect(byte[] address, long now) {
        picked = now;
        queueNanos = now - started;
        connectNanos = NEVER;
        attempts++;
        backendAddress = address;
        reason = "";
    }

    void reason(String text) {
        reason = text;
    }

    /** The failure text of the last attempt; may be empty. */
    public String reason() {
        return reason;
    }

    void connected(long now) {
        connected = now;
        connectNanos = now - picked;
    }

    /** Records that the head of the response has arrived. */
    void answered(long now) {
        firstByteNanos = now - connected;
    }

    /** Returns the time from the start to the last choice of a backend, including earlier attempts. */
    public long queueNanos() {
        return queueNanos;
    }

    /** Returns the time from the last choice of a backend until the exchange has a connection to it. */
    public long connectNanos() {
        return connectNanos;
    }

    /** Time from the established backend connection to the head of the response. */
    public long firstByteNanos() {
        return firstByteNanos;
    }

    /** Returns how often the exchange has requested a connection. */
    public int attempts() {
        return attempts;
    }

    /** The address of the last backend tried; empty for none. Must not be modified. */
    public byte[] backendAddress() {
        return backendAddress;
    }
}
