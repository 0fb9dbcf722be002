/**
 * The control plane: one thread that makes all changes of state, and the timeline of changes and their causes.
 *
 * <p>Start with {@link io.ballast.core.control.ControlPlane} and {@link io.ballast.core.control.Timeline}.
 */
@NullMarked
package io.ballast.core.control;

import org.jspecify.annotations.NullMarked;
