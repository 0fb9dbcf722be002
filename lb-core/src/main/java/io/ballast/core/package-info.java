/**
 * What HTTP and DNS share: backends, pools, strategies, health, statistics and the configuration as finished values.
 *
 * <p>Nothing here knows Netty, HTTP or DNS; only the JDK is used.
 */
@NullMarked
package io.ballast.core;

import org.jspecify.annotations.NullMarked;
