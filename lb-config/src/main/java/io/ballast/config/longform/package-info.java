/**
 * The long form of a configuration file, and checks between its parts.
 */
@NullMarked
package io.ballast.config.longform;

import org.jspecify.annotations.NullMarked;
