/** Microbenchmarks of package-private classes of {@code io.ballast.dns.answer}. */
@NullMarked
package io.ballast.dns.answer;

import org.jspecify.annotations.NullMarked;
