/**
 * IP addresses and networks for comparisons in the data plane: {@link io.ballast.core.net.Cidr} is one network,
 * {@link io.ballast.core.net.CidrSet} a compiled set of them, and {@link io.ballast.core.net.IpAddress} their common
 * representation. Names are never looked up here.
 */
@NullMarked
package io.ballast.core.net;

import org.jspecify.annotations.NullMarked;
