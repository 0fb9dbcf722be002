package io.ballast.http.forwarding;

import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.config.ForwardingPolicies;
import io.ballast.http.head.HeaderName;
import java.util.EnumSet;
import java.util.Set;

/** The policy of each forwarding header for one kind of peer. Immutable; queries allocate nothing. */
public final class PeerPolicies {

    private final Forwarding[] byHeader = new Forwarding[ForwardingHeader.values().length];
    private final boolean isOff;
    private final boolean appends;

    PeerPolicies(ForwardingPolicies policies, ForwardingPolicies.Peer peer) {
        boolean off = true;
        boolean append = false;
        for (ForwardingHeader header : EnumSet.complementOf(EnumSet.of(ForwardingHeader.VIA))) {
            Forwarding policy = policies.of(header, peer);
            byHeader[header.ordinal()] = policy;
            off &= policy == Forwarding.OFF;
            append |= policy == Forwarding.APPEND;
        }
        this.isOff = off;
        this.appends = append;
        byHeader[ForwardingHeader.VIA.ordinal()] = Forwarding.OFF;
    }

    /** Whether no header is added or removed. */
    public boolean isOff() {
        return isOff;
    }

    /** Whether values are appended to at least one header of the peer. */
    boolean appends() {
        return appends;
    }

    /** Whether this header of the peer is trusted: it is forwarded, and other headers may be derived from it. */
    boolean trusts(HeaderName name) {
        return of(name) == Forwarding.APPEND;
    }

    /**
     * Whether the peer's header lines with this name are removed. The policy to overwrite removes them for
     * every header. The policy to append removes {@code X-Forwarded-For} and {@code Forwarded}, which are
     * written again with our value appended.
     */
    public boolean removes(HeaderName name) {
        return switch (of(name)) {
            case OVERWRITE -> true;
            case APPEND -> name == HeaderName.X_FORWARDED_FOR || name == HeaderName.FORWARDED;
            case OFF -> false;
        };
    }

    /** Whether the peer's header lines with this name are forwarded unchanged, with nothing added. */
    public boolean forwardsUnchanged(HeaderName name) {
        return of(name) == Forwarding.OFF;
    }

    /** Returns the headers that have this policy. */
    Set<ForwardingHeader> headersWith(Forwarding policy, Set<ForwardingHeader> headers) {
        Set<ForwardingHeader> found = EnumSet.noneOf(ForwardingHeader.class);
        for (ForwardingHeader header : headers) {
            if (byHeader[header.ordinal()] == policy) {
                found.add(header);
            }
        }
        return found;
    }

    private Forwarding of(HeaderName name) {
        return switch (name) {
            case X_FORWARDED_FOR -> byHeader[ForwardingHeader.X_FORWARDED_FOR.ordinal()];
            case X_FORWARDED_PROTO -> byHeader[ForwardingHeader.X_FORWARDED_PROTO.ordinal()];
            case X_FORWARDED_HOST -> byHeader[ForwardingHeader.X_FORWARDED_HOST.ordinal()];
            case X_FORWARDED_PORT -> byHeader[ForwardingHeader.X_FORWARDED_PORT.ordinal()];
            case FORWARDED -> byHeader[ForwardingHeader.FORWARDED.ordinal()];
            default -> throw new IllegalArgumentException(name + " is not a forwarding header");
        };
    }
}
