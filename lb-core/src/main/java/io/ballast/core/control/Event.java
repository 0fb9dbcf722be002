package io.ballast.core.control;

import io.ballast.core.backend.HealthStatus.Origin;
import java.time.Instant;

/**
 * Something that changed.
 *
 * @param id grows by one with every event
 * @param time when
 * @param origin who caused it
 * @param subject what changed: a backend as {@code pool/address}, a listener, or {@code ballast} itself
 * @param text what happened, in one sentence without a full stop
 */
public record Event(long id, Instant time, Origin origin, String subject, String text) {}
