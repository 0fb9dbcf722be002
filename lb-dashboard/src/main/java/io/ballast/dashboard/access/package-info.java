/**
 * Who may do what at the dashboard. {@link io.ballast.dashboard.access.Access} is the gate: it knows sessions and tokens, and
 * has passwords checked. {@link io.ballast.dashboard.access.Secrets} makes what stands in the configuration.
 */
@NullMarked
package io.ballast.dashboard.access;

import org.jspecify.annotations.NullMarked;
