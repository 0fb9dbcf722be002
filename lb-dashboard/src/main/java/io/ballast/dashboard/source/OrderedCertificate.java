package io.ballast.dashboard.source;

import java.time.Instant;
import java.util.Optional;

/**
 * A certificate that is ordered by ACME.
 *
 * @param name the host name or wildcard
 * @param notAfter its expiry; absent before the first certificate
 * @param lastSuccess the time of the last successful order; absent if there was none since the start of the process
 * @param failures the number of failed orders since the start of the process
 */
public record OrderedCertificate(
        String name, Optional<Instant> notAfter, Optional<Instant> lastSuccess, long failures) {}
