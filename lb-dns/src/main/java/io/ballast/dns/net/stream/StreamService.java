package io.ballast.dns.net.stream;

import io.ballast.core.net.CidrSet;
import io.ballast.net.config.ProxyProtocolConfig;
import java.net.InetAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the connections of a listener are served: what is spoken on them, and whose they are. A listener whose configuration
 * changes gets another; connections keep the one that they began with until it is retired. Compared by identity.
 *
 * <p>Thread safety: shared by all event loops.
 */
public final class StreamService {

    private final StreamProtocol protocol;
    private final @Nullable CidrSet proxies;
    private volatile boolean retired;

    /** @param proxyProtocol who connects, if it is not the clients themselves */
    public StreamService(StreamProtocol protocol, Optional<ProxyProtocolConfig> proxyProtocol) {
        this.protocol = protocol;
        this.proxies = proxyProtocol.map(config -> CidrSet.of(config.trusted())).orElse(null);
    }

    StreamProtocol protocol() {
        return protocol;
    }

    /** Whether clients connect themselves. */
    boolean isDirect() {
        return proxies == null;
    }

    /** Whether a peer is a proxy that speaks for clients. */
    boolean trusts(InetAddress peer) {
        return proxies != null && proxies.contains(peer);
    }

    /** Whether its connections are to end. */
    boolean isRetired() {
        return retired;
    }

    void retire() {
        retired = true;
    }
}
