/**
 * The traces of requests (W3C Trace Context): the ids that backends receive, and the data of the spans of recorded
 * requests.
 *
 * <pre>
 *   event loop                                   exporter (one thread)
 *   RequestTrace → TraceSink → RecordRing ─────► FinishedTrace → spans
 *                              (one per loop; full: dropped and counted)
 * </pre>
 *
 * <p>Start with {@link io.ballast.http.trace.RequestTrace}, which a tracing policy begins, the exchange completes with
 * its attempts, and the recorder of the exchange ends.
 */
@NullMarked
package io.ballast.http.trace;

import org.jspecify.annotations.NullMarked;
