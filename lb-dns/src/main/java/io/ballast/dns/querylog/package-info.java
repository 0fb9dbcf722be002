/**
 * The query log: records the outcome of each query. The records are processed outside the answering threads.
 *
 * <pre>
 *   answering thread                     log threads
 *   QueryRecorder → QueryLogRing ─────────► QueryLogEntry → AnsweredQuery → memory, QueryFile, QueryListeners
 *                 → DnstapRing ───────────► Exchange → Dnstap
 *                   (one of each per answering thread; when full, entries are dropped and counted)
 * </pre>
 *
 * <p>API for other packages:
 *
 * <ul>
 *   <li>{@link io.ballast.dns.querylog.QueryLog}: the log of a frontend;
 *   <li>{@link io.ballast.dns.querylog.QueryListener}: receives {@link
 *       io.ballast.dns.querylog.AnsweredQuery} objects with their {@link io.ballast.dns.querylog.Outcome};
 *   <li>{@link io.ballast.dns.querylog.QueryRecorder}: records the answers of one thread, with the {@link
 *       io.ballast.dns.querylog.Decision} and the {@link io.ballast.dns.querylog.SocketProtocol};
 *   <li>{@link io.ballast.dns.querylog.DeciderLabeler}: returns the name of the rule list or resolver that
 *       decided a query, for logs.
 * </ul>
 */
@NullMarked
package io.ballast.dns.querylog;

import org.jspecify.annotations.NullMarked;
