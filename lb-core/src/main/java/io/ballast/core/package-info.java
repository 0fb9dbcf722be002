/**
 * Common parts of HTTP and DNS: backends, pools, strategies, health, statistics, and their configuration
 * records.
 *
 * <p>This module depends on the JDK only, and not on Netty, HTTP or DNS code.
 */
@NullMarked
package io.ballast.core;

import org.jspecify.annotations.NullMarked;
