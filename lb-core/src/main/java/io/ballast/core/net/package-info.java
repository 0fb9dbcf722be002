/**
 * IP addresses and networks for comparisons in the data plane: {@link io.ballast.core.net.Cidr} is one
 * network, {@link io.ballast.core.net.CidrSet} a compiled set of networks, and {@link
 * io.ballast.core.net.IpAddress} the representation of addresses in both. This package never resolves names.
 */
@NullMarked
package io.ballast.core.net;

import org.jspecify.annotations.NullMarked;
