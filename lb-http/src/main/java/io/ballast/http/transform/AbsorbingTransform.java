package io.ballast.http.transform;

/**
 * A transform that can take a body faster than the client reads it. It holds a limited amount of data, and writes it
 * when the client accepts more. Therefore, a slow client does not delay other clients that wait for the same body.
 * Event-loop confined.
 */
public interface AbsorbingTransform extends BodyTransform {

    /**
     * Whether {@link #add} keeps its data, so that {@link #add} may be called while the client is slow. Once the result
     * is false, it stays false. Then {@link #resume} must write all kept data before the next {@link #add}.
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
     * Called once after the last {@link #add}, even if kept data still waits for the client. {@link #end} is called
     * when all kept data is written.
     */
    void received(BodyOutput output);

    /**
     * Whether the whole body is needed even if the client has disconnected. In this case, nothing is written any
     * longer.
     */
    boolean outlivesClient();
}
