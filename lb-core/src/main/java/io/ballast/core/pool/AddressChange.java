package io.ballast.core.pool;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.config.HostPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Changed addresses of backends in an otherwise unchanged topology. Confined to the control plane. Must not
 * be used while another topology is being prepared.
 */
public final class AddressChange {

    private final List<PoolMoves> pools;

    private record PoolMoves(Pool pool, List<AddressMove> moves) {}

    private AddressChange(List<PoolMoves> pools) {
        this.pools = pools;
    }

    /**
     * Returns the changes that result from newly resolved names.
     *
     * @param addresses the new addresses, by host as written in the configuration
     */
    public static AddressChange of(Topology running, Map<String, InetAddress> addresses) {
        List<PoolMoves> pools = new ArrayList<>();
        for (Pool pool : running.poolList()) {
            List<AddressMove> moves = new ArrayList<>();
            for (Member member : pool.members()) {
                Backend backend = member.backend();
                InetAddress now = addresses.get(backend.address().host());
                if (backend.address() instanceof HostPort at && now != null && !now.equals(backend.inetAddress())) {
                    moves.add(new AddressMove(backend, backend.socketAddress(), new InetSocketAddress(now, at.port())));
                }
            }
            if (!moves.isEmpty()) {
                pools.add(new PoolMoves(pool, moves));
            }
        }
        return new AddressChange(pools);
    }

    public List<AddressMove> moves() {
        return pools.stream().flatMap(each -> each.moves().stream()).toList();
    }

    /**
     * Returns the pools with changed addresses. After activation, they must be refreshed and their checks
     * updated.
     */
    public List<Pool> pools() {
        return pools.stream().map(PoolMoves::pool).toList();
    }

    /** Activates the change. */
    public void commit(Instant now) {
        for (PoolMoves each : pools) {
            each.moves().forEach(move -> move.commit(each.pool().config().health(), now));
        }
    }
}
