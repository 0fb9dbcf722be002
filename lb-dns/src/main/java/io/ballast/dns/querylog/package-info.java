/**
 * The query log: what became of each query, told away from the threads that answer.
 *
 * <pre>
 *   thread that answers                  the log's thread
 *   QueryRecorder → EntryRing ─────────► Entry → AnsweredQuery → memory, QueryFile, QueryListeners
 *                 → TapRing ───────────► Exchange → Dnstap
 *                   (one of each for each thread; full: dropped and counted)
 * </pre>
 *
 * <p>For others are
 *
 * <ul>
 *   <li>{@link io.ballast.dns.querylog.QueryLog}: the log of a frontend;
 *   <li>{@link io.ballast.dns.querylog.QueryListener}: told of {@link io.ballast.dns.querylog.AnsweredQuery}s with their {@link
 *       io.ballast.dns.querylog.Outcome};
 *   <li>{@link io.ballast.dns.querylog.QueryRecorder}: where a thread leaves what it has answered, with the {@link
 *       io.ballast.dns.querylog.Decision} and the {@link io.ballast.dns.querylog.SocketProtocol};
 *   <li>{@link io.ballast.dns.querylog.DeciderNames}: what decisions are called by.
 * </ul>
 */
@NullMarked
package io.ballast.dns.querylog;

import org.jspecify.annotations.NullMarked;
