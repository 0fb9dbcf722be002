/**
 * The inputs of the dashboard: interfaces and records through which the process supplies statistics, settings and actions.
 *
 * <p>Start with {@link io.ballast.dashboard.source.DashboardSources}.
 */
@NullMarked
package io.ballast.dashboard.source;

import org.jspecify.annotations.NullMarked;
