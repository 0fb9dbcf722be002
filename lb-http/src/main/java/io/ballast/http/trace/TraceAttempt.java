package io.ballast.http.trace;

import io.ballast.core.log.RecordRing;
import io.ballast.http.relay.Failure;
import org.jspecify.annotations.Nullable;

/** An attempt to get a response from a backend. One object is reused for many attempts. Event-loop confined. */
final class TraceAttempt {

    /** The value of {@link #endNanos} while the attempt is running. */
    static final long RUNNING = Long.MIN_VALUE;

    static final int NO_FAILURE = -1;
    static final int MAX_ADDRESS_BYTES = 262;
    static final int FIXED_BYTES = 3 * Long.BYTES + 4 * Integer.BYTES;

    long spanId;
    private int number;
    private long startNanos;
    private long endNanos;
    private int status;
    private byte[] address = {};
    private @Nullable Failure failure;

    void begin(int attemptNumber, long id, byte[] backend, long now) {
        number = attemptNumber;
        spanId = id;
        address = backend;
        startNanos = now;
        endNanos = RUNNING;
        status = 0;
        failure = null;
    }

    void answered(int code) {
        status = code;
    }

    /** Ends the attempt, if it is running. */
    void end(@Nullable Failure cause, long now) {
        if (endNanos == RUNNING) {
            failure = cause;
            endNanos = now;
        }
    }

    /** Extends an attempt whose response has become a tunnel. */
    void extend(long now) {
        endNanos = now;
    }

    int bytes() {
        return FIXED_BYTES + addressBytes();
    }

    private int addressBytes() {
        return Math.min(address.length, MAX_ADDRESS_BYTES);
    }

    void writeTo(RecordRing ring) {
        ring.putLong(spanId);
        ring.putLong(startNanos);
        ring.putLong(endNanos);
        ring.putInt(number);
        ring.putInt(status);
        ring.putInt(failure == null ? NO_FAILURE : failure.ordinal());
        ring.putInt(addressBytes());
        ring.putBytes(address, addressBytes());
    }
}
