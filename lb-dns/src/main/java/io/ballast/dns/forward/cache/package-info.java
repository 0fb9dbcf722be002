/**
 * Answers of upstream resolvers, kept until their time is over. Read first: {@link
 * io.ballast.dns.forward.cache.AnswerReader}, which takes an upstream's message in and judges it; {@link
 * io.ballast.dns.forward.cache.KeptAnswer}, which makes a response to any asker of the same question from it; {@link
 * io.ballast.dns.forward.cache.AnswerCache}, which holds them within its bounds. {@link
 * io.ballast.dns.forward.cache.CacheReader} is one thread's access to it, {@link
 * io.ballast.dns.forward.cache.ReadAnswer} the outcome of a reading, {@link io.ballast.dns.forward.cache.TtlLimits} and
 * {@link io.ballast.dns.forward.cache.CacheStatistics} say what they are.
 *
 * <p>Invariants: a kept answer holds nothing of who asked first; what does not belong to the question is not kept; finding
 * and writing an answer allocate nothing.
 */
@NullMarked
package io.ballast.dns.forward.cache;

import org.jspecify.annotations.NullMarked;
