package io.ballast.server;

import io.ballast.core.config.HostPort;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.function.Function;

/** Finds the address of a backend by the system's resolver; the first IPv4 address if there is one. Blocks. */
final class AddressResolver implements Function<HostPort, InetSocketAddress> {

    @Override
    public InetSocketAddress apply(HostPort target) {
        try {
            InetAddress[] found = InetAddress.getAllByName(target.host());
            InetAddress chosen = Arrays.stream(found)
                    .filter(Inet4Address.class::isInstance)
                    .findFirst()
                    .orElse(found[0]);
            return new InetSocketAddress(chosen, target.port());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("backend " + target + ": no address found for " + target.host(), e);
        }
    }
}
