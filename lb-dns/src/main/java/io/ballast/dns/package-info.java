/**
 * The DNS frontend: authoritative answers over the pools that the HTTP frontend balances too.
 *
 * <p>Start with {@link io.ballast.dns.DnsFrontend}, the module's entry; then {@link io.ballast.dns.answer.Answerer},
 * where a query becomes a response, and {@link io.ballast.dns.zone.CompiledZones}, where a health change becomes
 * new answers. What holds inside:
 *
 * <ul>
 *   <li>a query is answered on the thread that received it, out of one immutable {@link
 *       io.ballast.dns.answer.AnswerTable}, without allocating, locking or logging;
 *   <li>answers and settings of a configuration are one object, an {@link io.ballast.dns.answer.AnswerConfig}: a query is
 *       answered by the one that is active when it begins, and a change of the configuration is one write;
 *   <li>answers are wire templates, compiled before they are asked for, beside the control plane;
 *   <li>the way from query to response knows nothing of sockets: {@code net} depends on {@code answer}, {@code answer}
 *       on {@code wire}, never the other way; {@code zone} makes what {@code answer} reads.
 * </ul>
 *
 * <p>For other modules are this package, {@link io.ballast.dns.stats}, {@link io.ballast.dns.querylog}, {@link
 * io.ballast.dns.history}, {@link io.ballast.dns.zone} with its inputs and findings, {@link io.ballast.dns.explain}, {@link
 * io.ballast.dns.learn}, {@link io.ballast.dns.control.TsigKeys} to check keys, and for the command line {@link
 * io.ballast.dns.dnssec.key}.
 */
@NullMarked
package io.ballast.dns;

import org.jspecify.annotations.NullMarked;
