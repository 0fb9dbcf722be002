/**
 * Reading the configuration: from a file to {@link io.ballast.config.BallastConfig}, with every problem of the
 * file reported at once, and back to text.
 *
 * <p>Start with {@link io.ballast.server.config.ConfigLoader}. The work is done in three layers:
 * {@code yaml} turns text into a tree of places, {@code key} is the language in which keys are described, {@code form}
 * describes them.
 *
 * <ul>
 *   <li>{@link io.ballast.server.config.ConfigLoader}: reads a file
 *   <li>{@link io.ballast.server.config.LoadedConfig}: what came out of it
 *   <li>{@link io.ballast.server.config.ConfigException}: everything that is wrong with it
 * </ul>
 */
@NullMarked
package io.ballast.server.config;

import org.jspecify.annotations.NullMarked;
