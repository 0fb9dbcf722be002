package io.ballast.http.h2.backend;

/**
 * Limits the queued PING and SETTINGS acknowledgements that the backend has not read. If a backend sends PING
 * and SETTINGS frames during a large upload, the replies are queued after the upload data. A backend that
 * sends such frames endlessly without reading the replies would fill the memory. Event-loop confined.
 */
final class PendingAcks {

    /**
     * Maximum number of pending replies. Only the oldest reply is tracked, so up to twice as many can be queued.
     */
    static final int MAX = 128;

    private final ChannelFrameOutput bytes;
    private int count;
    /** Output position at which the oldest pending reply begins. */
    private long oldestPosition;

    PendingAcks(ChannelFrameOutput bytes) {
        this.bytes = bytes;
    }

    /** Counts a reply that is about to be queued. Returns false if too many replies are queued. */
    boolean tryIncrement() {
        if (bytes.isWritable() || bytes.sentBytes() > oldestPosition) {
            count = 0;
        }
        if (count == 0) {
            oldestPosition = bytes.writtenBytes();
        }
        count++;
        return count <= MAX;
    }
}
