/**
 * What routing looks at in a request ({@link io.ballast.http.route.request.RoutedRequest}), and what it works in
 * ({@link io.ballast.http.route.request.RouteScratch}). {@link io.ballast.http.route.request.PathNormalizer} brings
 * paths into the form in which routes compare them.
 */
@NullMarked
package io.ballast.http.route.request;

import org.jspecify.annotations.NullMarked;
