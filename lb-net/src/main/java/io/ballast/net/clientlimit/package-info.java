/** Limits for each client: {@link io.ballast.net.clientlimit.ConnectionsPerClient} counts the connections it has open. */
@NullMarked
package io.ballast.net.clientlimit;

import org.jspecify.annotations.NullMarked;
