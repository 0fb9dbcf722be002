package io.ballast.http.forwarding;

import io.ballast.core.net.CidrSet;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.config.ForwardingPolicies;
import java.util.Set;

/** What a listener does with forwarding headers, prepared once for all of its connections. Immutable. */
public final class ForwardingRules {

    private final Set<ForwardingHeader> headers;
    private final CidrSet trusted;
    private final PeerPolicies forProxies;
    private final PeerPolicies forOthers;

    /**
     * @param headers which headers backends get
     * @param trusted proxies whose word counts; if there are any, that of others is overwritten
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
