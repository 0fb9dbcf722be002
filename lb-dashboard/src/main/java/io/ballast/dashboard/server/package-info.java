/**
 * The dashboard's HTTP server. It uses one event loop, listens on few addresses, and limits every resource
 * that clients can use.
 *
 * <p>Start with {@link io.ballast.dashboard.server.AdminServer}. Each {@link
 * io.ballast.dashboard.server.Endpoint} listens on an address and has a {@link
 * io.ballast.dashboard.server.Router}, which maps a method and a path to a {@link
 * io.ballast.dashboard.server.Handler}. Everything runs on the server's event loop, so handlers must not
 * block and need no locks.
 */
@NullMarked
package io.ballast.dashboard.server;

import org.jspecify.annotations.NullMarked;
