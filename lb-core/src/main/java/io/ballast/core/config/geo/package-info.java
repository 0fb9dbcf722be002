/**
 * The configuration records for regions and geographic routing.
 */
@NullMarked
package io.ballast.core.config.geo;

import org.jspecify.annotations.NullMarked;
