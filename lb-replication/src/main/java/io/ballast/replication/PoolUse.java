package io.ballast.replication;

import io.ballast.config.BallastConfig;
import io.ballast.core.config.vote.Quorum;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.WhenAllDown;
import io.ballast.http.config.RouteAction;
import io.ballast.policy.config.MirrorConfig;
import java.util.HashSet;
import java.util.Set;

/**
 * The pools of a configuration that are used by DNS services only: this process sends nothing to their backends.
 * Immutable.
 */
final class PoolUse {

    private final Set<String> onlyInAnswers = new HashSet<>();

    PoolUse(BallastConfig config) {
        config.dns().ifPresent(this::addAnswered);
        config.listeners().stream()
                .flatMap(listener -> listener.routes().stream())
                .flatMap(route -> route.action().shares().stream())
                .map(RouteAction.Share::pool)
                .forEach(onlyInAnswers::remove);
        config.policies().values().forEach(policy -> {
            if (policy.rule() instanceof MirrorConfig mirror) {
                onlyInAnswers.remove(mirror.pool());
            }
        });
        config.dns().flatMap(DnsConfig::forward).ifPresent(forward -> onlyInAnswers.removeAll(forward.pools()));
    }

    private void addAnswered(DnsConfig dns) {
        dns.zones().stream().flatMap(zone -> zone.services().stream()).forEach(this::addAnswered);
    }

    private void addAnswered(ServiceConfig service) {
        onlyInAnswers.addAll(service.target().pools());
        if (service.whenAllDown() instanceof WhenAllDown.Fallback fallback) {
            fallback.pool().ifPresent(onlyInAnswers::add);
        }
    }

    /**
     * The quorum of a pool whose configuration has none. A node must reach the backends to which it forwards, so its
     * own checks decide. The addresses in a DNS answer must be reachable for clients, so the majority decides.
     */
    Quorum defaultQuorum(String pool) {
        return onlyInAnswers.contains(pool) ? Quorum.MAJORITY : Quorum.LOCAL;
    }
}
