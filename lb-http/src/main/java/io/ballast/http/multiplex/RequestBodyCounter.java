package io.ballast.http.multiplex;

/** Counts the received body bytes of a request, and checks them against the announced length. Event-loop confined. */
final class RequestBodyCounter {

    private static final long UNKNOWN = -1;

    private long expectedBytes;
    private long receivedBytes;

    /** Starts a stream. */
    void begin() {
        expectedBytes = UNKNOWN;
        receivedBytes = 0;
    }

    /** @param length content length of the head; negative if unknown */
    void setExpectedLength(long length) {
        expectedBytes = length;
    }

    /** Counts {@code length} bytes of body; false if the announced length is wrong. */
    boolean receive(int length, boolean endsStream) {
        receivedBytes += length;
        return expectedBytes < 0 || (receivedBytes <= expectedBytes && (!endsStream || receivedBytes == expectedBytes));
    }

    /** Whether the received length equals the announced length. */
    boolean isComplete() {
        return expectedBytes < 0 || receivedBytes == expectedBytes;
    }

    /** Body bytes received. */
    long bytes() {
        return receivedBytes;
    }
}
