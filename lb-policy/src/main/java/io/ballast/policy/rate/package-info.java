/** Rate limits: how many requests a client, or another key, may send in a period. */
@NullMarked
package io.ballast.policy.rate;

import org.jspecify.annotations.NullMarked;
