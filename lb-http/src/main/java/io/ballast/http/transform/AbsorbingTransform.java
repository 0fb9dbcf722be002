package io.ballast.http.transform;

/**
 * A transform that can take a body faster than the client reads it. It holds a limited amount of data, and writes it
 * when the client accepts more. Therefore, a slow client does not delay other clients that wait for the same body.
 * Event-loop confined.
 */
public interface AbsorbingTransform extends BodyTransform {

    /**
     * Whether {@link #add} keeps its data, so that it may be called while the client is slow. Once this is false, it stays
     * false, and {@link #resume} must write all kept data before the next {@link #add}.
     */
    boolean absorbs();

    /** The number of received bytes that are kept and not yet written. */
    long keptBytes();

    /**
     * Writes a part of the kept data. Called while the client accepts data.
     *
     * @return the number of kept bytes that were written, at most {@value #MAX_PIECE_BYTES}; 0 if none are kept
     */
    int resume(BodyOutput output);

    /**
     * Called once after the last {@link #add}, even if kept data still waits for the client. {@link #end} follows when all
     * of it is written.
     */
    void received(BodyOutput output);

    /** Whether the whole body is needed even if the client has disconnected. If so, nothing is written any more. */
    boolean outlivesClient();
}
