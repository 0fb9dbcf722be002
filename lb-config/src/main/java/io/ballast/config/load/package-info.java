/**
 * Reads configuration files: from a file to {@link io.ballast.config.BallastConfig}, with all problems of the file at once.
 *
 * <p>Start with {@link io.ballast.config.load.ConfigLoader}. Package {@code yaml} turns text into a tree whose nodes know their
 * line and column, {@code key} is the language in which keys are described, and {@code form} describes the keys.
 */
@NullMarked
package io.ballast.config.load;

import org.jspecify.annotations.NullMarked;
