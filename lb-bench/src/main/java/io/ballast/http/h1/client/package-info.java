/** Benchmarks of the relay's inner parts, in their package to reach them. */
@NullMarked
package io.ballast.http.h1.client;

import org.jspecify.annotations.NullMarked;
