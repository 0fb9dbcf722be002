/**
 * The export of metrics: reads the text of {@code /metrics}, which contains all metrics, and converts it into the model
 * of OpenTelemetry, with the same names and labels.
 */
@NullMarked
package io.ballast.telemetry.metric;

import org.jspecify.annotations.NullMarked;
