package io.ballast.dns.config.zone;

import io.ballast.core.Checks;
import java.util.List;
import java.util.Optional;

/**
 * The HTTPS record of a service (RFC 9460), in ServiceMode for the service's own name. Its address hints are the
 * addresses of the service.
 *
 * @param priority priority of the record, 1 to 65535; clients prefer the lowest priority
 * @param alpn protocols in addition to HTTP/1.1
 * @param port port of the service; absent for 443
 */
public record HttpsConfig(int priority, List<String> alpn, Optional<Integer> port) {

    public static final int DEFAULT_PRIORITY = 1;

    public HttpsConfig {
        Checks.between(priority, 1, 65_535, "priority");
        alpn = List.copyOf(alpn);
    }
}
