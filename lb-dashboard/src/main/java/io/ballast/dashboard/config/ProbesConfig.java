package io.ballast.dashboard.config;

import io.ballast.core.config.HostPort;
import io.ballast.net.config.ListenerTls;
import java.util.Optional;

/**
 * A listener for {@code /healthz}, {@code /readyz} and {@code /metrics} only, without authentication.
 *
 * @param bind the listen address; any address is allowed
 * @param tls the TLS settings; absent for plain HTTP
 */
public record ProbesConfig(HostPort bind, Optional<ListenerTls> tls) {}
