/**
 * The dashboard's small HTTP server: a few addresses, one event loop, bounded in everything.
 *
 * <p>Start with {@link io.ballast.dashboard.server.AdminServer}, whose {@link io.ballast.dashboard.server.Endpoint}s listen,
 * each with a {@link io.ballast.dashboard.server.Router} of its own, which maps a method and a path to a {@link
 * io.ballast.dashboard.server.Handler}. Everything here runs on the
 * server's one event loop, so handlers must not block and need no locks.
 */
@NullMarked
package io.ballast.dashboard.server;

import org.jspecify.annotations.NullMarked;
