package io.ballast.dns.zone.service;

import io.ballast.core.balance.Member;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.answer.data.AddressFamily;
import io.ballast.dns.answer.data.AddressRecords;
import io.ballast.dns.answer.data.Answer;
import io.ballast.dns.answer.data.AnswerSource;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.WhenAllDown;
import io.ballast.dns.zone.contents.Ttl;
import io.ballast.dns.zone.pool.AddressChoice;
import io.ballast.dns.zone.pool.FamilyMembers;
import io.ballast.dns.zone.pool.PoolAddresses;
import io.ballast.dns.zone.pool.PoolView;
import io.ballast.dns.zone.service.TypeAnswers.Served;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The answer of a service for one address family, while none of its addresses of this family is healthy. If the service
 * has no addresses of this family at all, there is no answer. While the addresses of an alias target are unknown, the
 * answer is SERVFAIL. Thread safety: confined to the compiler thread.
 */
final class AddressesAllDown implements AllDownAnswer {

    private final WhenAllDown policy;
    private final Set<String> pools;
    private final Set<String> aliases;
    private final AddressFamily family;
    private final int cursor;
    private List<InetAddress> lastHealthy = List.of();
    /** Whether the pools have backends, healthy or not. */
    private boolean hasMembers = true;

    /** @param cursor the rotation cursor, which no other answer uses */
    AddressesAllDown(ServiceConfig config, AddressFamily family, int cursor) {
        this.policy = config.whenAllDown();
        this.pools = config.target().pools();
        this.aliases = config.target().aliases();
        this.family = family;
        this.cursor = cursor;
    }

    @Override
    public void remember(PoolView view) {
        if (policy == WhenAllDown.Simple.LAST_HEALTHY) {
            List<Member> healthy = new ArrayList<>();
            pools.forEach(pool ->
                    healthy.addAll(view.addresses(pool).everyTier(family).members()));
            lastHealthy = FamilyMembers.addresses(FamilyMembers.distinct(healthy, family));
        }
    }

    @Override
    public String reason() {
        String rule = policy instanceof WhenAllDown.Fallback fallback
                ? "fallback to "
                        + fallback.pool()
                                .map(pool -> "pool " + pool)
                                .orElse(fallback.addresses().toString())
                : policy.toString().toLowerCase(Locale.ROOT);
        return hasMembers || policy instanceof WhenAllDown.Fallback
                ? "no backend is healthy; when_all_down: " + rule
                : "no address of the alias target is known";
    }

    @Override
    public Served compile(PoolView view, int ttlSeconds) {
        boolean isUnanswered =
                aliases.stream().anyMatch(alias -> AliasTarget.isUnanswered(view.addresses(alias, family)));
        hasMembers = pools.stream()
                .anyMatch(pool ->
                        !view.addresses(pool).lastResort(family).members().isEmpty());
        if (!hasMembers && !isUnanswered) {
            return Served.nothing(ttlSeconds);
        }
        int shortTtl = Math.min(ttlSeconds, Ttl.seconds(TTL));
        if (policy instanceof WhenAllDown.Fallback fallback) {
            return fallback.pool().isPresent()
                    ? ofPool(view.addresses(fallback.pool().get()), ttlSeconds, shortTtl)
                    : ofAddresses(addressesOfFamily(fallback.addresses()), shortTtl);
        }
        if (!hasMembers && policy != WhenAllDown.Simple.NODATA) {
            // Resolvers cache NODATA for the negative TTL of the zone, but cache SERVFAIL only for a short time.
            return servfail(ttlSeconds);
        }
        return switch ((WhenAllDown.Simple) policy) {
            case SERVFAIL -> servfail(ttlSeconds);
            case NODATA -> Served.nothing(ttlSeconds);
            case LAST_HEALTHY ->
                lastHealthy.isEmpty() ? allAddresses(view, shortTtl) : ofAddresses(lastHealthy, shortTtl);
            case ALL -> allAddresses(view, shortTtl);
        };
    }

    private static Served servfail(int ttlSeconds) {
        return new Served(AnswerSource.servfail(), region -> List.of(), ttlSeconds);
    }

    private Served allAddresses(PoolView view, int shortTtl) {
        if (pools.size() == 1) {
            return of(view.addresses(pools.iterator().next()).lastResort(family), shortTtl);
        }
        List<Member> all = new ArrayList<>();
        pools.forEach(pool -> all.addAll(view.addresses(pool).lastResort(family).members()));
        return of(new AddressChoice(family, FamilyMembers.distinct(all, family)), shortTtl);
    }

    private Served ofPool(PoolAddresses pool, int ttlSeconds, int shortTtl) {
        AddressChoice healthy = pool.everyTier(family);
        return healthy.members().isEmpty() ? of(pool.lastResort(family), shortTtl) : of(healthy, ttlSeconds);
    }

    private Served of(AddressChoice choice, int ttl) {
        if (choice.members().isEmpty()) {
            return Served.nothing(ttl);
        }
        List<InetAddress> addresses = FamilyMembers.addresses(choice.members());
        return of(addresses, choice.records(ttl), ttl);
    }

    private Served ofAddresses(List<InetAddress> addresses, int ttl) {
        return addresses.isEmpty()
                ? Served.nothing(ttl)
                : of(addresses, new AddressRecords(family, addresses, ttl), ttl);
    }

    private Served of(List<InetAddress> addresses, AddressRecords records, int ttl) {
        int count = Math.min(addresses.size(), PoolTarget.maxAnswers(family));
        return new Served(Answer.rotating(records, count, cursor), region -> addresses, ttl);
    }

    private List<InetAddress> addressesOfFamily(List<IpAddress> addresses) {
        List<InetAddress> ofFamily = new ArrayList<>();
        for (IpAddress address : addresses) {
            InetAddress inet = inet(address);
            if (family.holds(inet)) {
                ofFamily.add(inet);
            }
        }
        return ofFamily;
    }

    private static InetAddress inet(IpAddress address) {
        try {
            return InetAddress.getByAddress(address.bytes());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + address.bytes().length + " bytes", e);
        }
    }
}
