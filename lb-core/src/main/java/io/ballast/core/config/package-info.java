/**
 * The configuration of backends, pools, strategies, health checks and geography: immutable records with every default
 * filled in.
 *
 * <p>Start with {@link io.ballast.core.config.PoolConfig}. The records of listeners, DNS and the dashboard are in the
 * modules that use them. Constructors check what must hold for every source, and copy collections. Reading a file,
 * naming the place of an error and printing the long form is the work of module {@code lb-config}.
 */
@NullMarked
package io.ballast.core.config;

import org.jspecify.annotations.NullMarked;
