package io.ballast.dns.zone.service;

import io.ballast.dns.answer.data.AddressFamily;
import io.ballast.dns.answer.data.AddressRecords;
import io.ballast.dns.answer.data.Answer;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.explain.ExplainedTarget;
import io.ballast.dns.explain.ExplainedTarget.ExplainedBackend;
import io.ballast.dns.follow.FollowedAddresses;
import io.ballast.dns.zone.pool.PoolView;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;

/**
 * An <em>ALIAS</em> target: answers with the addresses of a name outside our zones, for one address family.
 * Expired addresses count as healthy while they cannot be refreshed. If the name has no addresses, the target
 * adds no addresses to the answer. Thread safety: confined to the compiler thread.
 */
final class AliasTarget extends Target {

    private final String name;
    private final AddressFamily family;
    private final int cursor;

    /** @param cursor index of a cursor that only this target uses */
    AliasTarget(TargetConfig.OfName config, AddressFamily family, int cursor) {
        super(config.thresholds());
        this.name = config.name();
        this.family = family;
        this.cursor = cursor;
    }

    @Override
    CompiledTarget compileNow(PoolView view, int ttlSeconds) {
        FollowedAddresses followed = view.addresses(name, family);
        List<InetAddress> addresses = followed.addresses();
        if (addresses.isEmpty()) {
            return CompiledTarget.nothing(isUnanswered(followed) ? 1 : 0);
        }
        int ttl = Math.min(ttlSeconds, followed.ttlSeconds());
        Answer answer = Answer.rotating(new AddressRecords(family, addresses, ttl), addresses.size(), cursor);
        return new CompiledTarget(answer, region -> addresses, addresses.size(), addresses.size());
    }

    /** Returns whether there is no usable lookup result, so that it is unknown if the name has addresses. */
    static boolean isUnanswered(FollowedAddresses followed) {
        return switch (followed.state()) {
            case UNKNOWN, FAILED -> true;
            case KNOWN, STALE, NONE -> false;
        };
    }

    @Override
    ExplainedTarget explain(String role, boolean used, ExplainedClient client, PoolView view) {
        FollowedAddresses followed = view.addresses(name, family);
        String state = followed.state().name().toLowerCase(Locale.ROOT);
        List<ExplainedBackend> backends = lastCompiled().addresses().apply(client.region()).stream()
                .map(address -> new ExplainedBackend(address.getHostAddress(), state, followed.reason(), used))
                .toList();
        return new ExplainedTarget("alias " + name, role, state(), used, followed.reason(), List.of(), backends);
    }
}
