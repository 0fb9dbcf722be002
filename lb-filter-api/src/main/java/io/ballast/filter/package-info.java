/**
 * Filters of HTTP requests and responses, written in Java. A filter is a jar that Ballast loads when it starts or
 * reloads. It may answer a request instead of the backend, change headers of requests and responses, and read request
 * bodies.
 *
 * <p>An author implements {@link io.ballast.filter.FilterFactory}, which creates a {@link io.ballast.filter.Filter}.
 * The configuration names the class of the factory, or the jar names it in
 * {@code META-INF/services/io.ballast.filter.FilterFactory}. The jar contains the libraries of the filter, but not this
 * package. Its classes can use only the JDK, this package and the jar.
 *
 * <p>No method of this package accepts or returns null.
 */
@NullMarked
package io.ballast.filter;

import org.jspecify.annotations.NullMarked;
