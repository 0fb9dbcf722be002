package io.ballast.core.health;

import io.ballast.core.config.Address;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.CheckAddress;
import io.ballast.core.config.PoolConfig;
import java.util.HashMap;
import java.util.Map;

/**
 * The addresses at which the backends of one pool are checked. The pool's {@code health} block defines the
 * address, unless a backend has its own {@code health_port}. Immutable; a lookup is {@code O(1)}.
 */
final class CheckAddresses {

    private final CheckAddress ofPool;
    private final Map<Address, CheckAddress> own;

    private CheckAddresses(CheckAddress ofPool, Map<Address, CheckAddress> own) {
        this.ofPool = ofPool;
        this.own = own;
    }

    static CheckAddresses of(PoolConfig pool) {
        CheckAddress ofPool = pool.health().at();
        Map<Address, CheckAddress> own = new HashMap<>();
        for (BackendConfig backend : pool.backends()) {
            backend.healthPort().ifPresent(port -> own.put(backend.address(), ofPool.withPort(port)));
        }
        return new CheckAddresses(ofPool, own);
    }

    /** Returns the check address of the backend that serves at this address. */
    CheckAddress of(Address backend) {
        return own.getOrDefault(backend, ofPool);
    }
}
