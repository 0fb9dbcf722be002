package io.ballast.server.config.form;

import io.ballast.dns.config.zone.UpdateConfig;
import io.ballast.core.net.Cidr;
import io.ballast.server.config.key.Key;
import io.ballast.server.config.key.Networks;
import io.ballast.server.config.key.Shape;
import io.ballast.server.config.key.ShapeBuilder;
import io.ballast.server.config.key.Type;
import java.util.List;
import java.util.Optional;

/** {@code dns.zones[].update}. */
final class UpdateKeys {

    private static final ShapeBuilder<UpdateConfig> KEYS =
            Shape.named("dns_update", "Clients that may change the zone with UPDATE (RFC 2136), as nsupdate does.");

    private static final Key<List<String>> KEY_NAMES = KEYS.required(
            "keys",
            OneOrMore.of(NameReference.TSIG_KEY, "key"),
            "names of dns.keys; the client must sign with one of them",
            UpdateConfig::keys);
    private static final Key<List<Cidr>> FROM = KEYS.optional(
            "from",
            OneOrMore.of(Networks.NETWORK, "network"),
            "networks of such clients; any by default",
            update -> update.from().isEmpty() ? Optional.empty() : Optional.of(update.from()));

    static final Type<UpdateConfig> UPDATE = KEYS.build(
            values -> new UpdateConfig(values.get(KEY_NAMES), values.find(FROM).orElse(List.of())));

    private UpdateKeys() {}
}
