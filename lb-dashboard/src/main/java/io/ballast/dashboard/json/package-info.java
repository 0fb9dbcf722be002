/**
 * Writes JSON, and reads JSON objects.
 */
@NullMarked
package io.ballast.dashboard.json;

import org.jspecify.annotations.NullMarked;
