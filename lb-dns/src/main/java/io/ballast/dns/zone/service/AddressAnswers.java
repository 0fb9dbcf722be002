package io.ballast.dns.zone.service;

import io.ballast.dns.answer.data.AddressFamily;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.explain.ExplainedTarget;
import io.ballast.dns.follow.FollowedAddresses;
import io.ballast.dns.zone.pool.PoolAddresses;
import io.ballast.dns.zone.pool.PoolView;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The answers of a service with addresses of one address family. Thread safety: confined to the executor that compiles
 * the answers.
 */
final class AddressAnswers extends TypeAnswers {

    private final AddressFamily family;
    private final Set<String> aliases;

    AddressAnswers(ServiceConfig config, AddressFamily family, Target target, AllDownAnswer allDown) {
        super(config, family.type(), target, allDown);
        this.family = family;
        this.aliases = config.target().aliases();
    }

    @Override
    List<String> answer(ExplainedClient who, ExplainedTarget explained) {
        return lastCompiled().addresses().apply(who.region()).stream()
                .map(InetAddress::getHostAddress)
                .toList();
    }

    @Override
    int remainingAliasTtl(PoolView view) {
        return aliases.stream()
                .map(alias -> view.addresses(alias, family))
                .filter(followed -> !followed.addresses().isEmpty())
                .mapToInt(FollowedAddresses::ttlSeconds)
                .min()
                .orElse(Integer.MAX_VALUE);
    }

    @Override
    Duration stableFor(PoolAddresses pool) {
        return pool.stableFor(family);
    }
}
