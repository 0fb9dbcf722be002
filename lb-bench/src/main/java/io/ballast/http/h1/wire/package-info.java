/** Benchmarks of package-private classes of {@code io.ballast.http.h1.wire}. */
@NullMarked
package io.ballast.http.h1.wire;

import org.jspecify.annotations.NullMarked;
