/**
 * <a href="https://dnstap.info">dnstap</a> output: whole messages for other programs, as Protocol Buffers in Frame
 * Streams.
 *
 * <ul>
 *   <li>{@link io.ballast.dns.querylog.dnstap.DnstapExchange}: a query and its response;
 *   <li>{@link io.ballast.dns.querylog.dnstap.DnstapEncoder}: encodes them as frames;
 *   <li>{@link io.ballast.dns.querylog.dnstap.DnstapOutput}: writes frames to a file ({@link
 *       io.ballast.dns.querylog.dnstap.DnstapFile}) or to a socket ({@link
 *       io.ballast.dns.querylog.dnstap.DnstapSocket}).
 * </ul>
 */
@NullMarked
package io.ballast.dns.querylog.dnstap;

import org.jspecify.annotations.NullMarked;
