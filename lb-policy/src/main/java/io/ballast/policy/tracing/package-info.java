/** The policy that continues or begins the traces of requests, and decides which of them are recorded. */
@NullMarked
package io.ballast.policy.tracing;

import org.jspecify.annotations.NullMarked;
