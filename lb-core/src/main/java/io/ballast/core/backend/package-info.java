/**
 * One address that serves requests, with all its state that survives a reload.
 *
 * <p>Start with {@link io.ballast.core.backend.Backend}. Its parts are {@link io.ballast.core.backend.BackendStats}
 * (counters), {@link io.ballast.core.backend.InFlight} and {@link io.ballast.core.backend.ResponseTime} (the input of
 * strategies), {@link io.ballast.core.backend.RequestErrors} (the reasons for ejections),
 * {@link io.ballast.core.backend.CheckTime} (the duration of checks), {@link io.ballast.core.backend.HealthStatus} (the
 * decision of the control plane), {@link io.ballast.core.backend.StateOverride} (an operator's override) and
 * {@link io.ballast.core.backend.ExternalOverrideSet} (the overrides of external sources).
 * {@link io.ballast.core.backend.LoadCells} holds in-flight counts and response times in memory;
 * {@link io.ballast.core.backend.BackendLoads} reads these values of many backends by index.
 */
@NullMarked
package io.ballast.core.backend;

import org.jspecify.annotations.NullMarked;
