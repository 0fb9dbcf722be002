/**
 * The long form of a configuration file, and checks that involve several of its parts.
 */
@NullMarked
package io.ballast.config.longform;

import org.jspecify.annotations.NullMarked;
