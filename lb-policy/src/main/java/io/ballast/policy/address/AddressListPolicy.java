package io.ballast.policy.address;

import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.policy.config.AddressListConfig;
import io.ballast.policy.work.PolicyEnvironment;

/**
 * Refuses clients by their addresses with 403. A client of a Unix socket has no address and passes. Thread safety: any
 * thread may evaluate requests. Allocates nothing.
 */
public final class AddressListPolicy implements Policy {

    private final ListedAddresses allow;
    private final ListedAddresses deny;
    private final boolean denyAll;
    private final Refusal denied;

    public AddressListPolicy(AddressListConfig config, PolicyEnvironment environment) {
        this.allow = new ListedAddresses(config.allow(), environment);
        this.deny = new ListedAddresses(config.deny(), environment);
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
        boolean passes = client.length == 0 ? !denyAll : allow.contains(client) || !(denyAll || deny.contains(client));
        return passes ? PolicyDecision.PASS : denied;
    }

    /** Stops following the files of the lists. */
    @Override
    public void close() {
        allow.close();
        deny.close();
    }
}
