package io.ballast.acme.schedule;

import java.time.Instant;
import java.util.Optional;

/**
 * An order that failed.
 *
 * @param issuer the name of the issuer
 * @param nextIssuer the name of the issuer that is tried at once; absent if all issuers must wait
 * @param retryAt the time of the next order; not in the future if there is a next issuer
 */
public record FailedOrder(String issuer, String reason, Optional<String> nextIssuer, Instant retryAt) {}
