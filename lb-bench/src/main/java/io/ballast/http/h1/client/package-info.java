/** Benchmarks of package-private classes of {@code io.ballast.http.h1.client}. */
@NullMarked
package io.ballast.http.h1.client;

import org.jspecify.annotations.NullMarked;
