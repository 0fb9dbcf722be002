/**
 * The control plane: one thread on which everything that changes state runs, and the timeline of what changed and why.
 *
 * <p>Start with {@link io.ballast.core.control.ControlPlane} and {@link io.ballast.core.control.Timeline}.
 */
@NullMarked
package io.ballast.core.control;

import org.jspecify.annotations.NullMarked;
