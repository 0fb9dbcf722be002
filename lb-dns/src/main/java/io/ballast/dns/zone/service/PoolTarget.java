package io.ballast.dns.zone.service;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.balance.Member;
import io.ballast.core.balance.Strategies;
import io.ballast.core.balance.Strategy;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.dns.answer.data.AddressFamily;
import io.ballast.dns.answer.data.AddressRecords;
import io.ballast.dns.answer.data.Answer;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.explain.ExplainedTarget;
import io.ballast.dns.explain.ExplainedTarget.ExplainedBackend;
import io.ballast.dns.wire.Edns;
import io.ballast.dns.wire.Wire;
import io.ballast.dns.zone.pool.AddressChoice;
import io.ballast.dns.zone.pool.FamilyMembers;
import io.ballast.dns.zone.pool.PoolAddresses;
import io.ballast.dns.zone.pool.PoolView;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A target that answers with the addresses of a pool. Thread safety: confined to the executor that compiles
 * the answers.
 */
final class PoolTarget extends Target {

    private static final int ANSWER_BYTES =
            Wire.MAX_MESSAGE_BYTES - Wire.HEADER_BYTES - Wire.MAX_NAME_BYTES - 4 - Edns.BARE_OPT_BYTES;

    private final TargetConfig.OfPool config;
    private final AddressFamily family;
    private final int cursor;
    private final Strategy strategy;
    private final ProbeTimes times;
    private final FastestChoice<Backend> fastest;

    /** @param cursor index of the rotation cursor of this target; no other target uses it */
    PoolTarget(TargetConfig.OfPool config, AddressFamily family, int cursor) {
        super(config.thresholds());
        this.config = config;
        this.family = family;
        this.cursor = cursor;
        this.strategy = Strategies.create(StrategyConfig.of(kind(config.routing())));
        this.times = new ProbeTimes(config.latency().alpha());
        this.fastest = new FastestChoice<>(config.latency());
    }

    /** Returns the strategy that selects each address; used only if the routing selects single addresses. */
    private static StrategyKind kind(Routing routing) {
        return switch (routing) {
            case RANDOM -> StrategyKind.RANDOM;
            case HASH -> StrategyKind.IP_HASH;
            default -> StrategyKind.WEIGHTED_ROUND_ROBIN;
        };
    }

    @Override
    CompiledTarget compileNow(PoolView view, int ttlSeconds) {
        PoolAddresses pool = view.addresses(config.pool());
        int total = pool.total(family);
        AddressChoice choice = config.routing() == Routing.FAILOVER ? pool.firstTier(family) : pool.everyTier(family);
        if (choice.members().isEmpty()) {
            return CompiledTarget.nothing(total);
        }
        int healthy = pool.healthy(family);
        if (config.routing() == Routing.LATENCY) {
            List<Backend> chosen =
                    fastest.choose(knownTimes(choice.members()), count(choice.members()), view.nowNanos());
            choice = chosen.isEmpty() ? choice : restrictTo(choice, chosen);
        }
        List<Member> members = choice.members();
        return new CompiledTarget(
                answer(choice, ttlSeconds), region -> FamilyMembers.addresses(members), healthy, total);
    }

    private Answer answer(AddressChoice choice, int ttlSeconds) {
        AddressRecords records = choice.records(ttlSeconds);
        int count = count(choice.members());
        return switch (config.routing()) {
            case WEIGHTED, RANDOM, HASH -> {
                List<Backend> backends =
                        choice.members().stream().map(Member::backend).toList();
                yield Answer.drawn(records, count, strategy.compile(choice.members()), backends);
            }
            default -> Answer.rotating(records, count, cursor);
        };
    }

    private AddressChoice restrictTo(AddressChoice choice, List<Backend> chosen) {
        Map<Backend, Member> members = new HashMap<>();
        choice.members().forEach(member -> members.put(member.backend(), member));
        return new AddressChoice(family, chosen.stream().map(members::get).toList());
    }

    private Map<Backend, Double> knownTimes(List<Member> members) {
        Map<Backend, Double> known = new LinkedHashMap<>();
        for (Member member : members) {
            times.of(member.backend()).ifPresent(nanos -> known.put(member.backend(), nanos));
        }
        return known;
    }

    /** Returns the number of addresses that fit into the largest message. */
    static int maxAnswers(AddressFamily family) {
        return ANSWER_BYTES / AddressRecords.recordBytes(family);
    }

    /**
     * Returns the configured number of addresses, limited by the number of members and the size of a message.
     */
    private int count(List<Member> members) {
        int max = Math.min(members.size(), maxAnswers(family));
        return config.answers() == ServiceConfig.ALL ? max : Math.min(config.answers(), max);
    }

    @Override
    void recordCheck(Backend backend, HealthStatus.LastCheck check) {
        if (config.routing() == Routing.LATENCY && backend.pool().equals(config.pool())) {
            times.add(backend, check);
        }
    }

    @Override
    boolean isStale(PoolView view) {
        if (config.routing() != Routing.LATENCY) {
            return false;
        }
        List<Member> members = view.addresses(config.pool()).everyTier(family).members();
        return !fastest.preview(knownTimes(members), count(members), view.nowNanos())
                .equals(fastest.chosen());
    }

    @Override
    ExplainedTarget explain(String role, boolean used, ExplainedClient client, PoolView view) {
        Set<InetAddress> addresses = new HashSet<>(lastCompiled().addresses().apply(client.region()));
        List<ExplainedBackend> backends = new ArrayList<>();
        for (Member member : view.addresses(config.pool()).all()) {
            Backend backend = member.backend();
            InetAddress address = backend.inetAddress();
            if (family.holds(address)) {
                HealthStatus health = backend.health();
                boolean inAnswer = used && health.state().isUsable() && addresses.contains(address);
                backends.add(new ExplainedBackend(
                        backend.address().toString(), health.state().label(), health.reason(), inAnswer));
            }
        }
        String answers = config.answers() == ServiceConfig.ALL ? "all" : String.valueOf(config.answers());
        return new ExplainedTarget(
                "pool " + config.pool() + ", " + config.routing().label(),
                role,
                state(),
                used,
                lastCompiled().hasAnswer() ? reason() + ", answers: " + answers : "no backend is healthy",
                List.of(),
                backends);
    }

    private String reason() {
        return switch (config.routing()) {
            case FAILOVER -> "the first priority with a healthy backend";
            case WEIGHTED -> "random choice by weight";
            case RANDOM -> "random choice";
            case HASH -> "by the hash of the client's network";
            case LATENCY ->
                fastest.chosen().isEmpty()
                        ? "no health check has been timed yet; round-robin"
                        : "the backends that answer checks fastest";
            default -> "the healthy backends in turn";
        };
    }
}
