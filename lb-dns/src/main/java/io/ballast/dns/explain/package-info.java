/** Why a service answers what it answers: {@link io.ballast.dns.explain.Explanation}, made by the compiler of services. */
@NullMarked
package io.ballast.dns.explain;

import org.jspecify.annotations.NullMarked;
