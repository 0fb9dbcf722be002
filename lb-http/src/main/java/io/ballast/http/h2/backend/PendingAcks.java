package io.ballast.http.h2.backend;

/**
 * Limits queued PING and SETTINGS acknowledgements that the backend has not read. A backend may send PING and
 * SETTINGS frames during a large upload; the replies are queued after the upload data. A backend that sends
 * such frames endlessly without reading the replies would fill memory. Event-loop confined.
 */
final class PendingAcks {

    /** Maximum number of pending replies. Up to twice as many can be queued, since only the oldest is tracked. */
    static final int MAX = 128;

    private final ChannelFrameOutput bytes;
    private int count;
    /** Output position after which the oldest reply is written. */
    private long oldestPosition;

    PendingAcks(ChannelFrameOutput bytes) {
        this.bytes = bytes;
    }

    /** Counts a reply to be queued; false if there are too many. */
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
