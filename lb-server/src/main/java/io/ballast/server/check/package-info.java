/**
 * Executors of health checks, selected by {@link io.ballast.server.check.Probes}. Programs are run by
 * {@link io.ballast.server.check.ExecProbe}, if {@link io.ballast.server.check.ExecPermission} was given.
 */
@NullMarked
package io.ballast.server.check;

import org.jspecify.annotations.NullMarked;
