package io.ballast.http.forwarding;

import io.ballast.core.net.CidrSet;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.config.ForwardingPolicies;
import java.util.Set;

/** The forwarding-header settings of a listener, prepared once for all its connections. Immutable. */
public final class ForwardingRules {

    private final Set<ForwardingHeader> headers;
    private final CidrSet trusted;
    private final PeerPolicies forProxies;
    private final PeerPolicies forOthers;

    /**
     * Prepares the rules of a listener.
     *
     * @param headers the headers that backends receive
     * @param trusted the trusted proxies; if there are any, the headers of other peers are overwritten
     */
    public ForwardingRules(ForwardingPolicies policies, Set<ForwardingHeader> headers, CidrSet trusted) {
        this.headers = headers;
        this.trusted = trusted;
        this.forProxies = new PeerPolicies(policies, ForwardingPolicies.Peer.TRUSTED);
        this.forOthers = new PeerPolicies(
                policies, trusted.isEmpty() ? ForwardingPolicies.Peer.ANY : ForwardingPolicies.Peer.UNTRUSTED);
    }

    Set<ForwardingHeader> headers() {
        return headers;
    }

    CidrSet trusted() {
        return trusted;
    }

    PeerPolicies policies(boolean isProxy) {
        return isProxy ? forProxies : forOthers;
    }
}
