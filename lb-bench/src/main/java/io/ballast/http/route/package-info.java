/** Benchmarks of package-private classes of {@code io.ballast.http.route}. */
@NullMarked
package io.ballast.http.route;

import org.jspecify.annotations.NullMarked;
