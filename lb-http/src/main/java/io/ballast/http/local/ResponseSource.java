package io.ballast.http.local;

/**
 * Produces the response to one request without a backend. All methods are called on the event loop of the request, must
 * not block, and may call the sink. A source that works on other threads returns to {@link ResponseSink#eventLoop}
 * before it calls the sink.
 *
 * <p>The source ends with exactly one of: {@link ResponseSink#end}, {@link ResponseSink#fail}, or a call of {@link
 * #cancel}. No method of the source is called afterwards, and calls of the sink have no effect. If {@link #start} or
 * {@link #resume} throws an exception, the exception is logged, the response fails, and {@link #cancel} is called.
 */
public interface ResponseSource {

    /** Starts the response. Called at most once. */
    void start(ResponseSink sink);

    /**
     * Continues the response when the client accepts more of it, after {@link ResponseSink#isWritable} was false. May
     * also be called at other times after {@link #start}, but never from within a method of the sink.
     */
    void resume();

    /**
     * Releases all resources, because the response is no longer needed: the client has disconnected, or the exchange
     * has exceeded its time limit. May be called instead of {@link #start}, and from within a method of the sink.
     */
    void cancel();
}
