/** Benchmarks that need what is inside {@code io.ballast.http.route}. */
@NullMarked
package io.ballast.http.route;

import org.jspecify.annotations.NullMarked;
