/**
 * The cache of the forwarder. Start with these classes: {@link io.ballast.dns.forward.cache.AnswerReader}, which parses
 * and filters a response from a resolver; {@link io.ballast.dns.forward.cache.CacheEntry}, which writes it as a
 * response to any client; {@link io.ballast.dns.forward.cache.AnswerCache}, which stores answers up to a memory limit.
 * Each thread reads the cache through its own {@link io.ballast.dns.forward.cache.CacheReader}. {@link
 * io.ballast.dns.forward.cache.ParsedAnswer} is the result of parsing a response.
 *
 * <p>Invariants: a cached answer contains no data from the first client; records that do not belong to the question are
 * not cached; finding and writing an answer allocate nothing.
 */
@NullMarked
package io.ballast.dns.forward.cache;

import org.jspecify.annotations.NullMarked;
