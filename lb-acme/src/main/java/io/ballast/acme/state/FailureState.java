package io.ballast.acme.state;

import java.time.Instant;

/**
 * The failed orders for a name at one certificate authority since the last success.
 *
 * @param count the number of failures in a row; 0 if there are none
 * @param retryAt the earliest time of the next order
 * @param passesOn whether the next certificate authority may be tried before that time
 */
public record FailureState(int count, Instant retryAt, boolean passesOn) {

    public static final FailureState NONE = new FailureState(0, Instant.EPOCH, /* passesOn= */ false);
}
