/**
 * Destinations of requests. A {@link io.ballast.http.route.destination.Route} leads to a pool, possibly with a
 * rewritten path ({@link io.ballast.http.route.destination.PathRewriter}), or to a local response ({@link
 * io.ballast.http.route.destination.FixedResponse}, {@link io.ballast.http.route.destination.Redirection}). A {@link
 * io.ballast.http.route.destination.Destination} is one route or several with weights.
 */
@NullMarked
package io.ballast.http.route.destination;

import org.jspecify.annotations.NullMarked;
