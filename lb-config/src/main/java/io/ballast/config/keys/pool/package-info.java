/**
 * The keys of {@code pools}: backends, strategies, health checks, connections, retries.
 */
@NullMarked
package io.ballast.config.keys.pool;

import org.jspecify.annotations.NullMarked;
