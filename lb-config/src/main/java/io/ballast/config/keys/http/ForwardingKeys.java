package io.ballast.config.keys.http;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.config.ForwardingPolicies;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** {@code listeners[].forwarding}: one policy for all headers, or a policy for each of them. */
final class ForwardingKeys {

    private static final Type<Forwarding> POLICY = EnumWords.of(Forwarding.class);

    private static final ShapeBuilder<ForwardingPolicies> KEYS = Shape.named(
            "forwarding",
            "A policy for each forwarding header. A header without a policy is overwritten, or appended"
                    + " to if a trusted proxy sent it. Received values are trusted only with append: no other header is"
                    + " derived from an overwritten header. With trusted_proxies, append applies to these proxies"
                    + " only.");

    private static final Map<ForwardingHeader, Key<Forwarding>> BY_HEADER = new EnumMap<>(ForwardingHeader.class);

    static {
        add(ForwardingHeader.X_FORWARDED_FOR, "the list of client addresses");
        add(ForwardingHeader.X_FORWARDED_PROTO, "the scheme; append keeps a received value");
        add(ForwardingHeader.X_FORWARDED_HOST, "the host; append keeps a received value");
        add(ForwardingHeader.X_FORWARDED_PORT, "the port; append keeps a received value");
        add(ForwardingHeader.FORWARDED, "the list of proxies (RFC 7239)");
    }

    private static final Type<ForwardingPolicies> PER_HEADER = KEYS.build(ForwardingKeys::build);

    static final Type<ForwardingPolicies> FORWARDING = new BriefType<>(
            POLICY.map(ForwardingPolicies::of, ForwardingPolicies::general),
            PER_HEADER,
            policies -> policies.named().isEmpty());

    private ForwardingKeys() {}

    private static void add(ForwardingHeader header, String what) {
        BY_HEADER.put(
                header,
                KEYS.optional(
                        header.label(),
                        POLICY,
                        what,
                        policies -> Optional.ofNullable(policies.named().get(header))));
    }

    private static ForwardingPolicies build(Values values) {
        Map<ForwardingHeader, Forwarding> named = new EnumMap<>(ForwardingHeader.class);
        BY_HEADER.forEach((header, key) -> values.find(key).ifPresent(policy -> named.put(header, policy)));
        return new ForwardingPolicies(ForwardingPolicies.DEFAULT.general(), named);
    }
}
