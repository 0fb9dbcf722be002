package io.ballast.server.compose;

import io.ballast.core.backend.Backend;
import io.ballast.dns.forward.upstream.UpstreamProtocol;
import io.ballast.dns.forward.upstream.UpstreamTls;
import io.ballast.http.net.PoolTls;
import io.ballast.net.tls.ClientTls;
import org.jspecify.annotations.Nullable;

/** Supplies the TLS contexts of encrypted resolvers from the settings of their pools. */
record ResolverTls(PoolTls pools) implements UpstreamTls {

    @Override
    public @Nullable ClientTls find(Backend backend, UpstreamProtocol protocol) {
        return pools.ofResolver(backend, protocol == UpstreamProtocol.DOH);
    }
}
