/**
 * The keys of {@code dashboard}, {@code log} and {@code geo}.
 */
@NullMarked
package io.ballast.config.keys.dashboard;

import org.jspecify.annotations.NullMarked;
