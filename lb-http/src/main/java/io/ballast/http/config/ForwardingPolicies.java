package io.ballast.http.config;

import io.ballast.core.Checks;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The policy of each header that identifies the client. Immutable.
 *
 * @param general the policy of every header that {@code named} does not contain
 * @param named policies of individual headers; never contains {@link ForwardingHeader#VIA}, which is only
 *     appended
 */
public record ForwardingPolicies(Forwarding general, Map<ForwardingHeader, Forwarding> named) {

    /** Whether the listener names trusted proxies, and whether the peer is one of them. */
    public enum Peer {
        /** The listener names no trusted proxies: the policies apply unchanged to every peer. */
        ANY,
        TRUSTED,
        UNTRUSTED
    }

    public static final ForwardingPolicies DEFAULT = of(Forwarding.OVERWRITE);

    public ForwardingPolicies {
        Checks.that(
                !named.containsKey(ForwardingHeader.VIA),
                "named",
                ForwardingHeader.VIA.label(),
                "a forwarding header other than Via");
        named = named.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(named));
    }

    /** Returns the same policy for every header. */
    public static ForwardingPolicies of(Forwarding general) {
        return new ForwardingPolicies(general, Map.of());
    }

    /**
     * Returns the policy of a header for a peer. If the listener has trusted proxies, {@link Forwarding#APPEND}
     * applies only to them, and it is the default for them unless the header has its own policy.
     */
    public Forwarding of(ForwardingHeader header, Peer peer) {
        Forwarding own = named.get(header);
        Forwarding wanted = own == null ? general : own;
        return switch (peer) {
            case ANY -> wanted;
            case TRUSTED -> own == null && general == Forwarding.OVERWRITE ? Forwarding.APPEND : wanted;
            case UNTRUSTED -> wanted == Forwarding.APPEND ? Forwarding.OVERWRITE : wanted;
        };
    }
}
