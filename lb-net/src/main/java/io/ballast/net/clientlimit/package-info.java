/** Limits per client: {@link io.ballast.net.clientlimit.ConnectionsPerClient} counts open connections. */
@NullMarked
package io.ballast.net.clientlimit;

import org.jspecify.annotations.NullMarked;
