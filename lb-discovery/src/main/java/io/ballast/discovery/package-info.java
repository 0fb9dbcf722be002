/**
 * Backends that are added and removed at run time: by sources, and by operators.
 *
 * <p>Start with {@link io.ballast.discovery.Discovery}, which keeps what all sources report, and {@link
 * io.ballast.discovery.Overlay}, which applies it to the pools of the configuration file.
 */
@NullMarked
package io.ballast.discovery;

import org.jspecify.annotations.NullMarked;
