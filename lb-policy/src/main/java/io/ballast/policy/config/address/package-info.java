/** The entries of lists of client addresses. */
@NullMarked
package io.ballast.policy.config.address;

import org.jspecify.annotations.NullMarked;
