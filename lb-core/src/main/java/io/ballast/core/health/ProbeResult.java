package io.ballast.core.health;

import java.time.Duration;

/**
 * What one check found.
 *
 * @param ok whether the backend is fit
 * @param took from its start to the verdict
 * @param text the verdict in words: "connected", "200 OK", "connection refused", "no answer within 1s"
 */
public record ProbeResult(boolean ok, Duration took, String text) {}
