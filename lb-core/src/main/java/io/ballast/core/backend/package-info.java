/**
 * One address that serves requests, with everything about it that outlives a change of configuration.
 *
 * <p>Start with {@link io.ballast.core.backend.Backend}; its parts are {@link io.ballast.core.backend.BackendStats}
 * (counters), {@link io.ballast.core.backend.InFlight}, {@link io.ballast.core.backend.ResponseTime} (what strategies
 * look at), {@link io.ballast.core.backend.RequestErrors} (why it may be ejected),
 * {@link io.ballast.core.backend.CheckTime} (how near it is), {@link io.ballast.core.backend.HealthStatus} (what the
 * control plane decided) and {@link io.ballast.core.backend.StateOverride} (what an operator wants of it).
 * {@link io.ballast.core.backend.LoadCells} is where in-flight counts and response times lie in memory,
 * {@link io.ballast.core.backend.BackendLoads} reads those of many backends by index.
 */
@NullMarked
package io.ballast.core.backend;

import org.jspecify.annotations.NullMarked;
