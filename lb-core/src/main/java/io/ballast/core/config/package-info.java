/**
 * The configuration as the process uses it: immutable records with every default filled in.
 *
 * <p>Start with {@link io.ballast.core.config.BallastConfig}, then {@link io.ballast.core.config.ListenerConfig} and
 * {@link io.ballast.core.config.PoolConfig}. The records carry values only: reading a file, naming the place of an
 * error and printing the long form is the reader's work (module {@code lb-server}). Compact constructors check what
 * must hold whatever the source, and copy collections.
 */
@NullMarked
package io.ballast.core.config;

import org.jspecify.annotations.NullMarked;
