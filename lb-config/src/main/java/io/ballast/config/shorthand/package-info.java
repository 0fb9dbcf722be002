/**
 * The short form of a configuration file.
 */
@NullMarked
package io.ballast.config.shorthand;

import org.jspecify.annotations.NullMarked;
