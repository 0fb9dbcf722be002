package io.ballast.dns.zone;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.balance.Strategies;
import io.ballast.core.balance.Strategy;
import io.ballast.core.config.ServiceConfig;
import io.ballast.core.config.ServiceConfig.Routing;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.dns.answer.AddressFamily;
import io.ballast.dns.answer.AddressRecords;
import io.ballast.dns.answer.Answer;
import io.ballast.dns.wire.Edns;
import io.ballast.dns.wire.Wire;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One address family of a service: compiles its answer from what its pool is at the moment.
 *
 * <p>Thread safety: confined to the control plane. It lives as long as the service, so that the strategy's place in its
 * cycle is not forgotten when health changes.
 */
final class ServiceFamily {

    private static final int ANSWER_BYTES =
            Wire.MAX_MESSAGE_BYTES - Wire.HEADER_BYTES - Wire.MAX_NAME_BYTES - 4 - Edns.BARE_OPT_BYTES;

    private final ServiceConfig config;
    private final AddressFamily family;
    private final int cursor;
    private final Strategy weighted = Strategies.create(StrategyConfig.of(StrategyKind.WEIGHTED_ROUND_ROBIN));

    /** @param cursor the cursor of this family's answers, which nothing else uses */
    ServiceFamily(ServiceConfig config, AddressFamily family, int cursor) {
        this.config = config;
        this.family = family;
        this.cursor = cursor;
    }

    int type() {
        return family.type();
    }

    /** The answer with the pool's addresses as they are; null if there are none of the family. */
    @Nullable Answer compile(PoolAddresses pool) {
        boolean failover = config.routing() == Routing.FAILOVER;
        AddressChoice choice = failover ? pool.firstTier(family) : pool.everyTier(family);
        if (choice.members().isEmpty()) {
            return null;
        }
        AddressRecords records = choice.records(config.ttl());
        int count = count(choice.members());
        // Nobody's weight says anything about who is least down.
        boolean drawn = config.routing() == Routing.WEIGHTED && !choice.isAllDown();
        return drawn ? drawn(records, count, choice.members()) : Answer.rotating(records, count, cursor);
    }

    private Answer drawn(AddressRecords records, int count, List<Member> members) {
        List<Backend> backends = members.stream().map(Member::backend).toList();
        return Answer.drawn(records, count, weighted.compile(members), backends);
    }

    /** What the service asks for, as far as there are members and a message holds them. */
    private int count(List<Member> members) {
        int most = Math.min(members.size(), ANSWER_BYTES / AddressRecords.recordBytes(family));
        return config.answers() == ServiceConfig.ALL ? most : Math.min(config.answers(), most);
    }
}
