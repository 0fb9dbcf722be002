/**
 * Who runs which health check: {@link io.ballast.server.check.Probes}. Programs are run here, by
 * {@link io.ballast.server.check.ExecProbe}, if {@link io.ballast.server.check.ExecPermission} was given.
 */
@NullMarked
package io.ballast.server.check;

import org.jspecify.annotations.NullMarked;
