/**
 * Health: evaluates checks and real traffic, and decides when a backend goes up or down.
 *
 * <p>{@link io.ballast.core.health.Probe} runs one check; frontends provide the implementations. {@link
 * io.ballast.core.health.HealthMonitor} schedules checks and applies rise and fall on the control plane.
 * {@link io.ballast.core.health.Operator} applies operators' overrides, and {@link
 * io.ballast.core.health.ExternalOverrides} those of external sources.
 */
@NullMarked
package io.ballast.core.health;

import org.jspecify.annotations.NullMarked;
