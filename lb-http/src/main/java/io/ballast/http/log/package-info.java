/**
 * The access log: what became of each request, written away from the event loops.
 *
 * <pre>
 *   event loop                          writer (one thread for all logs)
 *   LoggedExchange → RecordRing ──────► LogRecord → LineFormat → LogTarget
 *                    (one per loop and log; full: dropped and counted)
 * </pre>
 *
 * <p>Start with {@link io.ballast.http.log.AccessLogs}, which owns the thread, and {@link
 * io.ballast.http.log.LoggedExchange}, into which a connection puts what it knows. An event loop copies octets and
 * numbers; it formats nothing, waits for nothing and allocates nothing.
 */
@NullMarked
package io.ballast.http.log;

import org.jspecify.annotations.NullMarked;
