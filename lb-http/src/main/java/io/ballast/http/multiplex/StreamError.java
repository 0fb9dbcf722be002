package io.ballast.http.multiplex;

/** The reason why a stream is reset. Each protocol has its own code for it. */
public enum StreamError {
    /** The client has broken the rules for requests. */
    MALFORMED,
    /** The client has sent more data than its window allows. */
    FLOW_CONTROL,
    /** The response cannot be completed. */
    INTERNAL,
    /** The stream is no longer needed, because its client is too slow, or its tunnel has broken. */
    CANCELLED,
    /** The stream needs too much memory. */
    EXCESSIVE_LOAD
}
