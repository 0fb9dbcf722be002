/**
 * Addresses and networks of the Internet Protocol, as the data plane compares them: {@link io.ballast.core.net.Cidr} is
 * one network, {@link io.ballast.core.net.CidrSet} many of them, compiled; {@link io.ballast.core.net.IpAddress} is what
 * both are made of. {@link io.ballast.core.net.ConnectionsPerClient} counts what clients have open, {@link
 * io.ballast.core.net.ProxyHeader} is what a proxy says about the client it speaks for, {@link io.ballast.core.net.BindFailure} why an address could not be bound. Names are never looked up here.
 */
@NullMarked
package io.ballast.core.net;

import org.jspecify.annotations.NullMarked;
