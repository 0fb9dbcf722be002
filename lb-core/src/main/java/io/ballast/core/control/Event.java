package io.ballast.core.control;

import io.ballast.core.backend.HealthStatus.Origin;
import java.time.Instant;

/**
 * A change that is shown to operators.
 *
 * @param id increases by one with every event
 * @param time time of the change
 * @param origin the cause
 * @param subject the changed object: a backend as {@code pool/address}, a listener, or {@code ballast} itself
 * @param text a sentence without a full stop
 */
public record Event(long id, Instant time, Origin origin, String subject, String text) {}
