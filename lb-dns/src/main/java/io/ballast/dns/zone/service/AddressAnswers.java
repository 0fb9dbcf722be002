package io.ballast.dns.zone.service;

import io.ballast.core.config.ServiceConfig;
import io.ballast.dns.answer.AddressFamily;
import io.ballast.dns.explain.ExplainedTarget;
import io.ballast.dns.zone.pool.PoolAddresses;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/** The addresses of one family that a service answers with. Thread safety: confined to the compiler. */
final class AddressAnswers extends TypeAnswers {

    private final AddressFamily family;

    AddressAnswers(ServiceConfig config, AddressFamily family, Target target, AllDown allDown) {
        super(config, family.type(), target, allDown);
        this.family = family;
    }

    @Override
    List<String> answer(ExplainedClient who, ExplainedTarget explained) {
        return last().addresses().apply(who.region()).stream()
                .map(InetAddress::getHostAddress)
                .toList();
    }

    @Override
    Duration stableFor(PoolAddresses pool) {
        return pool.stableFor(family);
    }
}
