package io.ballast.dns.net.stream;

import io.ballast.core.net.CidrSet;
import io.ballast.net.config.ProxyProtocolConfig;
import java.net.InetAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a listener's connections: the protocol, and the proxies that are trusted to report client
 * addresses. When a listener changes, it gets a new object. Existing connections keep the previous object
 * until that object is retired. Compared by identity.
 *
 * <p>Thread safety: shared by all event loops.
 */
public final class StreamService {

    private final StreamProtocol protocol;
    private final @Nullable CidrSet proxies;
    private volatile boolean retired;

    /** @param proxyProtocol settings for peers that are proxies; null if clients connect directly */
    public StreamService(StreamProtocol protocol, Optional<ProxyProtocolConfig> proxyProtocol) {
        this.protocol = protocol;
        this.proxies = proxyProtocol.map(config -> CidrSet.of(config.trusted())).orElse(null);
    }

    StreamProtocol protocol() {
        return protocol;
    }

    /** Whether clients connect directly, without a proxy. */
    boolean isDirect() {
        return proxies == null;
    }

    /** Whether the peer is a trusted proxy. */
    boolean trusts(InetAddress peer) {
        return proxies != null && proxies.contains(peer);
    }

    /** Whether connections with these settings are being closed. */
    boolean isRetired() {
        return retired;
    }

    void retire() {
        retired = true;
    }
}
