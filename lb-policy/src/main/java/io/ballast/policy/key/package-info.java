/** The parts of requests by which limits count: {@link io.ballast.policy.key.RequestCounterKey}. */
@NullMarked
package io.ballast.policy.key;

import org.jspecify.annotations.NullMarked;
