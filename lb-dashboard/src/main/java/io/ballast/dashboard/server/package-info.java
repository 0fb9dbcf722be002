/**
 * The dashboard's small HTTP server: one listener on a loopback address, one event loop, bounded in everything.
 *
 * <p>Start with {@link io.ballast.dashboard.server.LoopbackServer}, then {@link io.ballast.dashboard.server.Router},
 * which maps a method and a path to a {@link io.ballast.dashboard.server.Handler}. Everything here runs on the
 * server's one event loop, so handlers must not block and need no locks.
 */
@NullMarked
package io.ballast.dashboard.server;

import org.jspecify.annotations.NullMarked;
