package io.ballast.http.multiplex;

/** The flow-control window in which the client of a stream may send. Event-loop confined. */
public interface RequestWindow {

    /** Starts a stream, with the initial window. */
    void begin(long stream);

    /** Counts {@code bytes} that the client has sent; false if they exceed the window. */
    boolean receive(int bytes);

    /**
     * Gives the client credit for {@code bytes} that were forwarded or discarded.
     *
     * @param hasEnded whether the client sends no more data on the stream
     */
    void credit(int bytes, boolean hasEnded);
}
