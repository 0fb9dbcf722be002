package io.ballast.config.keys.dns;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Networks;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.config.keys.common.NameReference;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.zone.WhenAllDown;
import io.ballast.dns.config.zone.WhenAllDown.Fallback;
import java.util.List;
import java.util.Optional;

/** The keys of {@code dns.zones[].services[].when_all_down}. */
final class WhenAllDownKeys {

    private static final ShapeBuilder<Fallback> KEYS =
            Shape.named("when_all_down", "Addresses that are returned while no backend is healthy.");

    private static final Key<Fallback> FALLBACK = KEYS.required(
            "fallback",
            new BriefType<>(
                    NameReference.POOL.map(
                            pool -> new Fallback(Optional.of(pool), List.of()),
                            fallback -> fallback.pool().orElseThrow()),
                    ListType.atLeastOne(Networks.ADDRESS)
                            .unique("address", IpAddress::toString)
                            .map(addresses -> new Fallback(Optional.empty(), addresses), Fallback::addresses),
                    fallback -> fallback.pool().isPresent()),
            "a pool, or a list of addresses",
            fallback -> fallback);

    private static final Type<Fallback> SHAPE = KEYS.build(values -> values.get(FALLBACK));

    /** The behavior if all backends are down, written as a mapping or as a word. */
    static final Type<WhenAllDown> WHEN_ALL_DOWN = new BriefType<>(
            EnumWords.of(WhenAllDown.Simple.class).map(word -> word, down -> (WhenAllDown.Simple) down),
            SHAPE.map(fallback -> fallback, down -> (Fallback) down),
            down -> down instanceof WhenAllDown.Simple);

    private WhenAllDownKeys() {}
}
