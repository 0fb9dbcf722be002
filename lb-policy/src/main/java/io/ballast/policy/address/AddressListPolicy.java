package io.ballast.policy.address;

import io.ballast.core.net.CidrSet;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.policy.config.AddressListConfig;

/**
 * Refuses clients by their addresses with 403. A client without an address, at a Unix socket, passes. Immutable. Cost:
 * two binary searches; allocates nothing.
 */
public final class AddressListPolicy implements Policy {

    private final CidrSet allow;
    private final CidrSet deny;
    private final boolean denyAll;
    private final Refusal denied;

    public AddressListPolicy(AddressListConfig config) {
        this.allow = CidrSet.of(config.allow());
        this.deny = CidrSet.of(config.deny());
        this.denyAll = config.denyAll();
        this.denied = new Refusal(403, "address_denied", "", config.closes());
    }

    @Override
    public Phase phase() {
        return Phase.ADDRESS;
    }

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        byte[] client = exchange.client();
        boolean passes = client.length == 0 || allow.contains(client) || !(denyAll || deny.contains(client));
        return passes ? PolicyDecision.PASS : denied;
    }
}
