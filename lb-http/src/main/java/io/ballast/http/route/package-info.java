/**
 * Routing of requests. {@link io.ballast.http.route.RouteTable} is an immutable snapshot, compiled from the
 * configuration. {@code docs/routing.md} is the user documentation.
 *
 * <p>A lookup finds the host in {@code HostTable} and the path in {@code HostRoutes}; {@code RouteCandidate} checks the
 * other conditions of a route. Six packages support the table without depending on it:
 *
 * <ul> <li>{@code request}: the parts of a request used for routing, and working memory <li>{@code regex}: regular
 * expressions; independent of requests <li>{@code condition}: conditions beyond host and plain path <li>{@code
 * destination}: destinations of routes <li>{@code key}: affinity keys of requests <li>{@code session}: the table of TCP
 * and UDP listeners; independent of the others
 * </ul>
 */
@NullMarked
package io.ballast.http.route;

import org.jspecify.annotations.NullMarked;
