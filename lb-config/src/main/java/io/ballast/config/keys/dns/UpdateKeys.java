package io.ballast.config.keys.dns;

import io.ballast.config.key.Key;
import io.ballast.config.key.Networks;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.NameReference;
import io.ballast.config.keys.common.OneOrMore;
import io.ballast.core.net.Cidr;
import io.ballast.dns.config.zone.UpdateConfig;
import java.util.List;
import java.util.Optional;

/** The keys of {@code dns.zones[].update}. */
final class UpdateKeys {

    private static final ShapeBuilder<UpdateConfig> KEYS = Shape.named(
            "dns_update", "Clients that may send dynamic updates for the zone (RFC 2136), for example with nsupdate.");

    private static final Key<List<String>> KEY_NAMES = KEYS.required(
            "keys",
            OneOrMore.of(NameReference.TSIG_KEY, "key"),
            "names of dns.keys; the client must sign with one of them",
            UpdateConfig::keys);
    private static final Key<List<Cidr>> FROM = KEYS.optional(
            "from",
            OneOrMore.of(Networks.NETWORK, "network"),
            "networks from which updates are accepted; default: all",
            update -> update.from().isEmpty() ? Optional.empty() : Optional.of(update.from()));

    static final Type<UpdateConfig> UPDATE = KEYS.build(
            values -> new UpdateConfig(values.get(KEY_NAMES), values.find(FROM).orElse(List.of())));

    private UpdateKeys() {}
}
