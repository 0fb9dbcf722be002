package io.ballast.acme.order;

import java.time.Instant;
import java.util.Optional;

/**
 * The time in which a certificate authority suggests to renew a certificate.
 *
 * @param start the start of the window
 * @param end the end of the window; not before {@code start}
 * @param checkAgainAt when the CA should be asked again; absent if the CA does not specify it
 */
public record RenewalWindow(Instant start, Instant end, Optional<Instant> checkAgainAt) {}
