package io.ballast.dns.querylog.dnstap;

import java.io.IOException;

/** Where frames go. Never waits, but for a disk. Confined to the thread that writes files. */
public interface DnstapOutput {

    /** Takes a frame; false if it cannot now, and then the frame is lost. */
    boolean offer(byte[] frame, int length);

    /** Whether what was taken should be passed on before more is. */
    boolean isFull();

    /**
     * Passes on what was taken, and does what is due. Called again and again.
     *
     * @param nowNanos by the clock of {@link System#nanoTime()}
     * @throws IOException if something does not work; it is tried again
     */
    void flush(long nowNanos) throws IOException;

    /** How many frames were lost after they had been taken. */
    long lost();

    /** Ends it in good order, if that can be had within a second. */
    void close() throws IOException;
}
