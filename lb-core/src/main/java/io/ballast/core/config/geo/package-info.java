/**
 * The configuration records of geography.
 */
@NullMarked
package io.ballast.core.config.geo;

import org.jspecify.annotations.NullMarked;
