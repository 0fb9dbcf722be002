/** Mirroring of a share of the requests to another pool. */
@NullMarked
package io.ballast.policy.mirror;

import org.jspecify.annotations.NullMarked;
