package io.ballast.policy.share;

/**
 * A rate limit that several nodes share. Each node admits requests of a key up to its share of the limit.
 *
 * <p>The backlog of a key is the share of its burst that is used up: 0 if a full burst may follow, 1 if no request may
 * follow now. It has one value for each rate. Thread safety: one thread calls these methods, while other threads count
 * requests.
 */
public interface SharedLimit {

    /** Identifies the limit: nodes share limits with the same name and settings. */
    String identity();

    /** The number of rates. */
    int rates();

    /** The requests per second that the lowest rate permits. */
    double requestsPerSecond();

    /** Reports the requests of each key since the last call, including refused requests. Reads the whole table. */
    void takeRequests(RequestVisitor visitor);

    /** Receives the requests of a key. */
    @FunctionalInterface
    interface RequestVisitor {
        void requests(long key, long count);
    }

    /** Returns the backlog of a key for each rate; 0 for a key that is not counted. */
    float[] backlog(long key);

    /** Replaces the backlog of a key. Has no effect if the table has no place for the key. */
    void setBacklog(long key, float[] backlog);

    /** Sets the shares that apply from now on. */
    void use(KeyShares shares);
}
