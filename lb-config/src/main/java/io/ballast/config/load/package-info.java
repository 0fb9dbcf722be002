/**
 * Reads configuration files into a {@link io.ballast.config.BallastConfig} and reports all problems of a file
 * at once.
 *
 * <p>Start with {@link io.ballast.config.load.ConfigLoader}. Package {@code yaml} parses text into a tree
 * whose nodes have a line and a column, {@code key} provides the types that describe keys, and {@code form}
 * describes the keys.
 */
@NullMarked
package io.ballast.config.load;

import org.jspecify.annotations.NullMarked;
