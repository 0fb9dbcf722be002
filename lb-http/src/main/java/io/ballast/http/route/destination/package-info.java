/**
 * Where requests go: a {@link io.ballast.http.route.destination.Route} leads to a pool, perhaps with another path
 * ({@link io.ballast.http.route.destination.PathRewriter}), or to an answer that is known beforehand ({@link
 * io.ballast.http.route.destination.FixedResponse}, {@link io.ballast.http.route.destination.Redirection}). Several
 * routes among which a request is drawn are a {@link io.ballast.http.route.destination.Destination} too.
 */
@NullMarked
package io.ballast.http.route.destination;

import org.jspecify.annotations.NullMarked;
