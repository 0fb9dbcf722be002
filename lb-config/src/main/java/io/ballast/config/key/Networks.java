package io.ballast.config.key;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;

/** Types for IP networks and addresses. */
public final class Networks {

    /** A network, or a single address. */
    public static final Type<Cidr> NETWORK = new ScalarType<>(
            "network",
            "a network such as 192.0.2.0/24 or 2001:db8::/32, or one address",
            Cidr::parse,
            Cidr::toString,
            JsonSchema.textOrVariable("[0-9A-Fa-f:.]+(/[0-9]{1,3})?"));

    /** A single address. */
    public static final Type<IpAddress> ADDRESS = new ScalarType<>(
            "IP address",
            "an address such as 192.0.2.1 or 2001:db8::1",
            IpAddress::parse,
            IpAddress::toString,
            JsonSchema.textOrVariable("[0-9A-Fa-f:.]+"));

    private Networks() {}
}
