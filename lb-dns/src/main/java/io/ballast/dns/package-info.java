/**
 * The DNS frontend: authoritative answers over the pools that the HTTP frontend also balances.
 *
 * <p>Start with {@link io.ballast.dns.DnsFrontend}, the module's entry; then {@link io.ballast.dns.answer.Answerer},
 * which turns a query into a response, and {@link io.ballast.dns.zone.CompiledZones}, which turns a health change
 * into new answers. Design rules:
 *
 * <ul>
 *   <li>A query is answered on the thread that received it, from one immutable {@link
 *       io.ballast.dns.answer.data.AnswerTable}, without allocating, locking or logging.
 *   <li>The answers and settings of a configuration are one object, an {@link io.ballast.dns.answer.AnswerConfig}. A
 *       query uses the object that is active when its processing starts; a configuration change is one write.
 *   <li>Answers are wire templates, compiled in advance by a background thread.
 *   <li>Query processing does not depend on sockets: {@code net} depends on {@code answer}, {@code answer} on {@code
 *       wire}, never the other way; {@code zone} produces the tables that {@code answer} reads.
 * </ul>
 *
 * <p>API for other modules: this package, {@link io.ballast.dns.stats}, {@link io.ballast.dns.querylog}, {@link
 * io.ballast.dns.history}, {@link io.ballast.dns.zone} with its inputs and findings, {@link io.ballast.dns.explain},
 * {@link io.ballast.dns.learn}, {@link io.ballast.dns.control.TsigKeys} to check keys, and for the command line
 * {@link io.ballast.dns.dnssec.key}.
 */
@NullMarked
package io.ballast.dns;

import org.jspecify.annotations.NullMarked;
