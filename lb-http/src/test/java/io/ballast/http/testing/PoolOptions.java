package io.ballast.http.testing;

import io.ballast.core.config.Address;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.MaintenancePage;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.QueueConfig;
import io.ballast.core.config.RetryConfig;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.errorpage.ErrorPages;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HostHeader;
import io.ballast.core.testing.Connections;
import io.ballast.core.testing.Pools;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The options that all pools of a {@link BalancerSetup} share. */
final class PoolOptions {

    Connections connections = new Connections();
    StrategyConfig strategy = StrategyConfig.DEFAULT;
    int panicBelow;
    /** The regions of the backends of each pool, in order. */
    List<String> regions = List.of();

    HeaderRules headers = HeaderRules.NONE;
    HostHeader host = new HostHeader.Keep();
    QueueConfig queue = QueueConfig.DEFAULT;
    RetryConfig retry = RetryConfig.DEFAULT;
    Optional<BackendTls> tls = Optional.empty();
    ErrorPages errorPages = ErrorPages.NONE;
    Optional<MaintenancePage> maintenance = Optional.empty();

    /** Returns a pool with these backends. */
    PoolConfig build(String name, List<Address> addresses) {
        List<BackendConfig> members = new ArrayList<>();
        for (Address address : addresses) {
            Optional<String> region =
                    members.size() < regions.size() ? Optional.of(regions.get(members.size())) : Optional.empty();
            members.add(new BackendConfig(
                    address, BackendConfig.DEFAULT_WEIGHT, /* priority= */ 0, /* backup= */ false, region));
        }
        return PoolConfig.builder(name)
                .strategy(strategy)
                .panicBelowPercent(panicBelow)
                .backends(members)
                .health(Pools.UNCHECKED)
                .connections(connections.build())
                .host(host)
                .headers(headers)
                .queue(queue)
                .retry(retry)
                .tls(tls)
                .errorPages(errorPages)
                .maintenance(maintenance)
                .build();
    }
}
