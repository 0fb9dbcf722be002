/** Microbenchmarks of the DNS answer path. */
@NullMarked
package io.ballast.bench.dns;

import org.jspecify.annotations.NullMarked;
