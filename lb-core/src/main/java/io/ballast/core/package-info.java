/**
 * Common parts of HTTP and DNS: backends, pools, strategies, health, statistics, and their configuration records.
 *
 * <p>Nothing here knows Netty, HTTP or DNS; only the JDK is used.
 */
@NullMarked
package io.ballast.core;

import org.jspecify.annotations.NullMarked;
