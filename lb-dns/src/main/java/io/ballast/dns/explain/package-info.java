/** Explains the answers of services: {@link io.ballast.dns.explain.Explanation}, made by the service compiler. */
@NullMarked
package io.ballast.dns.explain;

import org.jspecify.annotations.NullMarked;
