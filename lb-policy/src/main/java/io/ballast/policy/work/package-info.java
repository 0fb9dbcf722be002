/** Runs the slow work of policies, such as password hashing, outside the event loops. */
@NullMarked
package io.ballast.policy.work;

import org.jspecify.annotations.NullMarked;
