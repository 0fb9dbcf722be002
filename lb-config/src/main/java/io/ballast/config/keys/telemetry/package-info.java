/** The keys of the export of traces and metrics. */
@NullMarked
package io.ballast.config.keys.telemetry;

import org.jspecify.annotations.NullMarked;
