/** Microbenchmarks of what guards the DNS authority; here because it is package-private. */
@NullMarked
package io.ballast.dns.answer;

import org.jspecify.annotations.NullMarked;
