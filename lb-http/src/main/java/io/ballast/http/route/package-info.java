/**
 * Routing: which requests go where. {@link io.ballast.http.route.RouteTable} is an immutable snapshot, compiled from the
 * configuration. {@code docs/routing.md} describes for users what it does.
 *
 * <p>From a request to its route: {@code HostTable} finds the host, {@code HostRoutes} the path, {@code Candidate} checks
 * whatever else a route asks for. Around the table are five rooms, none of which knows the table:
 *
 * <ul>
 *   <li>{@code request}: what is looked at, and the scratch to work in
 *   <li>{@code regex}: regular expressions; knows no request
 *   <li>{@code condition}: what a route asks beyond host and plain path
 *   <li>{@code destination}: where a route leads
 *   <li>{@code session}: the table of listeners whose clients send no requests; stands alone
 * </ul>
 */
@NullMarked
package io.ballast.http.route;

import org.jspecify.annotations.NullMarked;
