/**
 * Routing: which requests go where. {@link io.ballast.http.route.RouteTable} is an immutable snapshot; {@link
 * io.ballast.http.route.Route} is what it answers with.
 */
@NullMarked
package io.ballast.http.route;

import org.jspecify.annotations.NullMarked;
