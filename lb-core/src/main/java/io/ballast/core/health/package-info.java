/**
 * Health: what checks and real traffic say about backends, and when that makes one go up or down.
 *
 * <p>{@link io.ballast.core.health.Probe} runs one check (frontends bring implementations), {@link
 * io.ballast.core.health.HealthMonitor} schedules checks and applies rise and fall on the control plane. {@link
 * io.ballast.core.health.Operator} takes orders that rule over them.
 */
@NullMarked
package io.ballast.core.health;

import org.jspecify.annotations.NullMarked;
