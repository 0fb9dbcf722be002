/**
 * The parts of a request used for routing ({@link io.ballast.http.route.request.RoutedRequest}), and the working memory
 * ({@link io.ballast.http.route.request.RouteScratch}). {@link io.ballast.http.route.request.PathNormalizer} normalizes
 * paths for comparison.
 */
@NullMarked
package io.ballast.http.route.request;

import org.jspecify.annotations.NullMarked;
