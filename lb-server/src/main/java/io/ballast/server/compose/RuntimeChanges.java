package io.ballast.server.compose;

import io.ballast.core.pool.AddressChange;
import io.ballast.core.pool.AddressMove;
import io.ballast.discovery.Overlay;
import io.ballast.server.reload.Publication;
import io.ballast.server.reload.Reloadable.Preparation;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Applies changes that do not come from the configuration file: discovered backends, edits of operators, and changed
 * addresses of the backends' host names.
 */
final class RuntimeChanges {

    private final Balancer balancer;

    RuntimeChanges(Balancer balancer) {
        this.balancer = balancer;
    }

    /** Activates discovered backends and edits. Called on the thread that executes changes. */
    void apply(Overlay next) throws IOException, InterruptedException {
        balancer.requireNotDraining();
        ActiveConfig changed = ActiveConfig.of(balancer.config(), next);
        try (Preparation ready = BalancerChange.fromOverlay(balancer, changed)) {
            if (ready.isEmpty()) {
                balancer.setActive(changed);
            } else {
                Publication.activate(ready, balancer.control());
            }
        }
    }

    /** Activates changed addresses of backends. Called on the control plane's thread. */
    void applyAddresses(Map<String, InetAddress> addresses) {
        AddressChange change = AddressChange.of(balancer.topology(), addresses);
        if (change.moves().isEmpty()) {
            return;
        }
        change.commit(balancer.control().clock().instant());
        balancer.health().watchAndRefresh(balancer.topology(), change.pools());
        CompletableFuture<Void> unused = balancer.http()
                .retire(change.moves().stream().map(AddressMove::backend).toList());
        balancer.names().recordMoves(change.moves());
    }
}
