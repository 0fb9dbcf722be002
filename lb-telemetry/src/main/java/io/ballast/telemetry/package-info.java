/**
 * Sends the traces of requests and the metrics of the process to a collector, over OTLP/HTTP.
 *
 * <p>Start with {@link io.ballast.telemetry.Telemetry}, which follows the configuration, and {@code
 * io.ballast.telemetry.trace.TraceExport}, the queue and the thread that sends spans. The OpenTelemetry SDK builds and
 * sends the messages. Its classes are loaded when {@code otlp} is configured.
 */
@NullMarked
package io.ballast.telemetry;

import org.jspecify.annotations.NullMarked;
