package io.ballast.dashboard.source;

/**
 * The counters of the OTLP export since the start of the process.
 *
 * @param sentSpans spans that the collector has received
 * @param lostSpans spans that could not be sent
 * @param droppedTraces requests that were not recorded because the queue was full
 * @param sentPoints values of metrics that the collector has received
 * @param lostPoints values of metrics that could not be sent
 */
public record TelemetryStats(long sentSpans, long lostSpans, long droppedTraces, long sentPoints, long lostPoints) {}
