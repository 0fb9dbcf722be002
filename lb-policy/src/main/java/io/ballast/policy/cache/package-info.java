/**
 * The shared HTTP cache. {@link io.ballast.policy.cache.CachePolicy} decides for each request whether it is answered from
 * the store, waits for another request of the same URL, or goes to a backend. Its package {@code rule} contains the rules
 * of RFC 9111, its package {@code store} the memory.
 */
@NullMarked
package io.ballast.policy.cache;

import org.jspecify.annotations.NullMarked;
