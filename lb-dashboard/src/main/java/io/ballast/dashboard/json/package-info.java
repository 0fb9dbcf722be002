/**
 * The low-level JSON writer.
 */
@NullMarked
package io.ballast.dashboard.json;

import org.jspecify.annotations.NullMarked;
