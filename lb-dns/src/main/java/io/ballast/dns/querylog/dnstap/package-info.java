/**
 * Whole messages for other programs: <a href="https://dnstap.info">dnstap</a>, in Protocol Buffers, in Frame Streams.
 *
 * <ul>
 *   <li>{@link io.ballast.dns.querylog.dnstap.Exchange}: a query and its answer;
 *   <li>{@link io.ballast.dns.querylog.dnstap.DnstapEncoder}: makes frames of them;
 *   <li>{@link io.ballast.dns.querylog.dnstap.DnstapOutput}: takes these to a file ({@link
 *       io.ballast.dns.querylog.dnstap.DnstapFile}) or to a socket ({@link io.ballast.dns.querylog.dnstap.DnstapSocket}).
 * </ul>
 */
@NullMarked
package io.ballast.dns.querylog.dnstap;

import org.jspecify.annotations.NullMarked;
