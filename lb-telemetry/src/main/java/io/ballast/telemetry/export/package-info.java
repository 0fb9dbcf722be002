/** The connection to the collector, the resource and the counters, for traces and metrics. */
@NullMarked
package io.ballast.telemetry.export;

import org.jspecify.annotations.NullMarked;
