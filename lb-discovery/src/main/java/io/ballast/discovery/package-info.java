/**
 * Backends that sources or operators add and remove at run time.
 *
 * <p>Start with {@link io.ballast.discovery.Discovery}, which collects the reports of all sources, and {@link
 * io.ballast.discovery.Overlay}, which applies them to the pools of the configuration file.
 */
@NullMarked
package io.ballast.discovery;

import org.jspecify.annotations.NullMarked;
