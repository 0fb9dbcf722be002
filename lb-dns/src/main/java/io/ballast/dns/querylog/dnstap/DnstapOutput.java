package io.ballast.dns.querylog.dnstap;

import java.io.IOException;

/** An output for dnstap frames. It may block only on a disk. Confined to the file thread. */
public interface DnstapOutput {

    /** Accepts a frame. Returns false if there is no room; the frame is lost in this case. */
    boolean offer(byte[] frame, int length);

    /** Whether the output should be flushed before more frames are added. */
    boolean isFull();

    /**
     * Writes the accepted frames, and does periodic work. Called repeatedly.
     *
     * @param nowNanos time of {@link System#nanoTime()}
     * @throws IOException if writing failed; the next call tries again
     */
    void flush(long nowNanos) throws IOException;

    /** The number of accepted frames that were lost. */
    long lost();

    /** Ends the stream gracefully, within a second at most. */
    void close() throws IOException;
}
