/**
 * The configuration of backends, pools, strategies, health checks and geography: immutable records with every
 * default filled in.
 *
 * <p>Start with {@link io.ballast.core.config.PoolConfig}. The records of listeners, DNS and the dashboard
 * are in the modules that use them. Constructors perform the checks that are independent of the source, and
 * copy collections. Module {@code lb-config} reads files, reports the positions of errors and prints the long
 * form.
 */
@NullMarked
package io.ballast.core.config;

import org.jspecify.annotations.NullMarked;
