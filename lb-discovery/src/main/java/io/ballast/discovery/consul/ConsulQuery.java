package io.ballast.discovery.consul;

import io.ballast.core.config.DiscoveryConfig;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The requests to a Consul agent: their path, query and headers. Immutable. */
final class ConsulQuery {

    private final DiscoveryConfig.Consul settings;

    ConsulQuery(DiscoveryConfig.Consul settings) {
        this.settings = settings;
    }

    /**
     * Returns the URI that lists the service instances whose checks pass.
     *
     * @param index index of the previous result: the agent waits until there is a newer result; 0 for an
     *     immediate result
     * @param wait the maximum time that the agent waits
     */
    URI uri(long index, Duration wait) {
        StringBuilder uri = new StringBuilder(settings.address().toString().replaceAll("/+$", ""))
                .append("/v1/health/service/")
                .append(encoded(settings.service()))
                .append("?passing=1");
        settings.tag().ifPresent(tag -> uri.append("&tag=").append(encoded(tag)));
        settings.datacenter().ifPresent(name -> uri.append("&dc=").append(encoded(name)));
        if (index > 0) {
            uri.append("&index=")
                    .append(index)
                    .append("&wait=")
                    .append(wait.toSeconds())
                    .append('s');
        }
        return URI.create(uri.toString());
    }

    Map<String, String> headers() {
        Map<String, String> headers = new HashMap<>(Map.of("Accept", "application/json"));
        settings.token().ifPresent(token -> headers.put("X-Consul-Token", token));
        return headers;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
