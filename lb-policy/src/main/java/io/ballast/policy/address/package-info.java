/** Lists of client addresses that are allowed or denied. */
@NullMarked
package io.ballast.policy.address;

import org.jspecify.annotations.NullMarked;
