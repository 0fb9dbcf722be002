/** A collector for tests. */
@NullMarked
package io.ballast.telemetry.testing;

import org.jspecify.annotations.NullMarked;
