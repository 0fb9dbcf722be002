package io.ballast.core.stats;

/**
 * The counters of the classes of HTTP statuses (RFC 9110 section 15). Immutable.
 *
 * @param <C> the enum that contains the counters
 */
public record PerStatusClass<C extends Enum<C>>(
        C informational, C success, C redirection, C clientError, C serverError) {

    /**
     * Returns the counter for the class of a status. A status above 599 belongs to no class and counts as a
     * server error (RFC 9110 section 15).
     *
     * @param status 100 to 999
     */
    public C of(int status) {
        return switch (status / 100) {
            case 1 -> informational;
            case 2 -> success;
            case 3 -> redirection;
            case 4 -> clientError;
            case 5, 6, 7, 8, 9 -> serverError;
            default -> throw new IllegalArgumentException("status: " + status + " (expected: 100 to 999)");
        };
    }
}
