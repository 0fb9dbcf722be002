/**
 * The access log, written outside the event loops.
 *
 * <pre>
 *   event loop                          writer (one thread for all logs)
 *   AccessLogEntry → RecordRing ──────► LogRecord → LogFormat → LogTarget
 *                    (one per loop and log; full: dropped and counted)
 * </pre>
 *
 * <p>Start with {@link io.ballast.http.log.AccessLogs}, which owns the thread, and {@link
 * io.ballast.http.log.AccessLogEntry}, into which a connection stores its data. An event loop only copies bytes and
 * numbers: it does not format, block or allocate.
 */
@NullMarked
package io.ballast.http.log;

import org.jspecify.annotations.NullMarked;
