package io.ballast.dashboard.source;

/**
 * Counters of a backend since the start of one process, or their sum over several processes. Immutable.
 *
 * @param pool the name of the pool
 * @param address the address of the backend; empty for the sum of the other backends of the pool
 * @param requests attempts that were sent
 * @param errors failures and responses with status 5xx
 * @param responses successful responses, whose times were measured
 * @param responseNanos the sum of the response times in nanoseconds
 */
public record BackendSum(String pool, String address, long requests, long errors, long responses, long responseNanos) {

    private static final double NANOS_PER_MILLI = 1e6;

    /** Returns the sum, with the pool and address of this object. */
    public BackendSum plus(BackendSum other) {
        return new BackendSum(
                pool,
                address,
                requests + other.requests,
                errors + other.errors,
                responses + other.responses,
                responseNanos + other.responseNanos);
    }

    /** Returns the counters under another address. */
    public BackendSum at(String other) {
        return new BackendSum(pool, other, requests, errors, responses, responseNanos);
    }

    /** The average response time in milliseconds; 0 without responses. */
    public double averageMillis() {
        return responses == 0 ? 0 : responseNanos / NANOS_PER_MILLI / responses;
    }
}
