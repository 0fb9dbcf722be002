/** Calls filters on threads of their own, with bounds on time, threads and waiting calls. */
@NullMarked
package io.ballast.policy.filter.call;

import org.jspecify.annotations.NullMarked;
