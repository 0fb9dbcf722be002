/**
 * The rules of HTTP caching (RFC 9111) for a shared cache, without sockets and buffers: cache directives, freshness, age,
 * storability, {@code Vary}, preconditions and ranges. Times are parameters.
 */
@NullMarked
package io.ballast.policy.cache.rule;

import org.jspecify.annotations.NullMarked;
