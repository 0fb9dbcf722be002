/**
 * Addresses and networks of the Internet Protocol, as the data plane compares them: {@link io.ballast.core.net.Cidr} is
 * one network, {@link io.ballast.core.net.CidrSet} many of them, compiled; {@link io.ballast.core.net.IpAddress} is what
 * both are made of. Names are never looked up here.
 */
@NullMarked
package io.ballast.core.net;

import org.jspecify.annotations.NullMarked;
