package io.ballast.dns.forward.upstream;

import io.ballast.core.backend.Backend;
import io.ballast.net.tls.ClientTls;
import org.jspecify.annotations.Nullable;

/**
 * Returns the TLS settings of connections to upstreams.
 *
 * <p>Thread safety: any thread may call it. It returns immediately, and returns the same object until the
 * configuration changes.
 */
@FunctionalInterface
public interface UpstreamTls {

    /** No TLS settings for any server. */
    UpstreamTls NONE = (backend, protocol) -> null;

    /**
     * @param protocol a protocol over TLS
     * @return the TLS settings; null if this server has none, so that it is not queried over TLS
     */
    @Nullable ClientTls find(Backend backend, UpstreamProtocol protocol);
}
