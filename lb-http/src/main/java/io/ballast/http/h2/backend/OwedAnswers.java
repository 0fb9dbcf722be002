package io.ballast.http.h2.backend;

/**
 * Answers to a backend's PING and SETTINGS that it has not taken yet. A backend that asks while a large body is on its way to it
 * is well, and hears the answer behind what is queued; one that asks on and on and reads nothing would have us keep them all.
 * Event-loop confined.
 */
final class OwedAnswers {

    /** How many are kept; at most twice as many, as it is only known of the oldest whether it is out. */
    static final int MOST = 128;

    private final ChannelOctets octets;
    private int count;
    /** Up to where the octets must be out for the oldest to be. */
    private long oldest;

    OwedAnswers(ChannelOctets octets) {
        this.octets = octets;
    }

    /** Another one is to be queued; returns whether it may. */
    boolean another() {
        if (octets.isWritable() || octets.takenBytes() > oldest) {
            count = 0;
        }
        if (count == 0) {
            oldest = octets.writtenBytes();
        }
        count++;
        return count <= MOST;
    }
}
