/** Microbenchmarks of package-private classes of {@code io.ballast.dns.protect}. */
@NullMarked
package io.ballast.dns.protect;

import org.jspecify.annotations.NullMarked;
