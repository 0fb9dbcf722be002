package io.ballast.config.keys.common;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.core.config.header.HostHeader;
import java.util.LinkedHashMap;
import java.util.Map;

/** The keys of {@code pools.NAME.host}. */
public final class HostHeaderKeys {

    private static final String KEEP = "keep";
    private static final String BACKEND = "backend";

    private static final ShapeBuilder<HostHeader> KEYS =
            Shape.named("host_header", "A fixed Host header for the backends of a pool.");

    private static final Key<String> VALUE = KEYS.required(
            "value", HttpTexts.HOST, "the value sent to backends", host -> ((HostHeader.Fixed) host).value());

    /** The {@code Host} header for backends, written as a word or as a mapping with a fixed value. */
    public static final Type<HostHeader> HOST_HEADER = new BriefType<>(
            Scalars.choice(words(), host -> host instanceof HostHeader.OfBackend ? BACKEND : KEEP),
            KEYS.build(values -> new HostHeader.Fixed(values.get(VALUE))),
            /* printsBrief= */ host -> !(host instanceof HostHeader.Fixed));

    private HostHeaderKeys() {}

    private static Map<String, HostHeader> words() {
        Map<String, HostHeader> words = new LinkedHashMap<>();
        words.put(KEEP, new HostHeader.Keep());
        words.put(BACKEND, new HostHeader.OfBackend());
        return words;
    }
}
