package io.ballast.http.route.session;

import io.ballast.core.Checks;
import io.ballast.core.net.CidrSet;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.net.tls.ClientHello;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One route of TCP or UDP sessions, without its server names. Immutable.
 *
 * @param alpn the ALPN protocols; a client must offer one of them. Empty to match every client
 * @param clients the networks; one of them must contain the client's address. Null to match every client
 * @param pools the pools that share the sessions
 * @param cumulativeWeights the cumulative weights of the pools
 */
@SuppressWarnings("ArrayRecordComponent") // records are never compared, and the array is read for each session
record SessionRoute(List<String> alpn, @Nullable CidrSet clients, Pool[] pools, int[] cumulativeWeights) {

    static SessionRoute of(RouteConfig config, Topology topology) {
        List<RouteAction.Share> shares = config.action().shares();
        Checks.that(!shares.isEmpty(), "routes", config.action(), "one or more pools");
        Pool[] pools = new Pool[shares.size()];
        int[] upTo = new int[shares.size()];
        int sum = 0;
        for (int i = 0; i < pools.length; i++) {
            pools[i] = topology.pool(shares.get(i).pool());
            sum = Math.addExact(sum, shares.get(i).weight());
            upTo[i] = sum;
        }
        CidrSet clients = config.match().clients().isEmpty()
                ? null
                : CidrSet.of(config.match().clients());
        return new SessionRoute(config.match().alpn(), clients, pools, upTo);
    }

    boolean matches(ClientHello hello, byte[] client) {
        if (clients != null && (client.length == 0 || !clients.contains(client))) {
            return false;
        }
        return alpn.isEmpty() || hello.alpn().stream().anyMatch(alpn::contains);
    }

    /** Selects the pool of the next session by weight; never a pool of weight 0. */
    Pool selectPool(RandomGenerator random) {
        int draw = pools.length == 1 ? 0 : random.nextInt(cumulativeWeights[cumulativeWeights.length - 1]);
        int index = 0;
        while (cumulativeWeights[index] <= draw && index < pools.length - 1) {
            index++;
        }
        return pools[index];
    }
}
