package io.ballast.config.keys.dns;

import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.dns.config.zone.HttpsConfig;
import java.util.List;

/** The keys of {@code dns.zones[].services[].https}. */
final class HttpsKeys {

    private static final ShapeBuilder<HttpsConfig> KEYS =
            Shape.named("https", "An HTTPS record (RFC 9460) whose address hints are the addresses of the service.");

    private static final Key<Integer> PRIORITY = KEYS.optional(
            "priority",
            Scalars.integer(1, 65_535),
            HttpsConfig.DEFAULT_PRIORITY,
            "priority of the record (SvcPriority); lower values are preferred",
            HttpsConfig::priority);
    private static final Key<List<String>> ALPN = KEYS.optional(
            "alpn",
            ListType.of(Scalars.matching("protocol", "a protocol such as h2 or h3", "[A-Za-z0-9./_-]{1,32}"))
                    .unique("protocol", name -> name),
            List.of(),
            "protocols that clients may use in addition to HTTP/1.1",
            HttpsConfig::alpn);
    private static final Key<Integer> PORT = KEYS.optional(
            "port", Scalars.integer(1, 65_535), "port of these protocols; 443 by default", HttpsConfig::port);

    static final Type<HttpsConfig> HTTPS =
            KEYS.build(values -> new HttpsConfig(values.get(PRIORITY), values.get(ALPN), values.find(PORT)));

    private HttpsKeys() {}
}
