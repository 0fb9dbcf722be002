/**
 * How several processes share certificates: one of them orders, and all of them serve. {@link
 * io.ballast.acme.coordination.OrderCoordinator} tells this process whether it may order, and is notified of the
 * certificates that this process has ordered; {@link io.ballast.acme.coordination.CoordinatedOrders} is notified of the
 * certificates that another process has ordered.
 */
@NullMarked
package io.ballast.acme.coordination;

import org.jspecify.annotations.NullMarked;
