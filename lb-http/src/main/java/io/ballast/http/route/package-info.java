/**
 * Routing: which requests go where. {@link io.ballast.http.route.RouteTable} is an immutable snapshot, compiled from the
 * configuration; {@link io.ballast.http.route.RoutedRequest} is what it looks at, {@link io.ballast.http.route.Route}
 * what it answers with.
 *
 * <p>From a request to its route: {@code HostTable} finds the host, {@code HostRoutes} the path, {@code Candidate} checks
 * whatever else a route asks for. {@code docs/routing.md} describes the same for users.
 */
@NullMarked
package io.ballast.http.route;

import org.jspecify.annotations.NullMarked;
