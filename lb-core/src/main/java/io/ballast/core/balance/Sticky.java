package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StickyConfig;
import io.ballast.core.config.StrategyKind;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request with the {@linkplain SessionTokens token} of a member to that member; another strategy
 * picks for all other requests. Clients of backups and less preferred tiers stay there even if preferred
 * members can serve again. Members that are down, draining or removed keep no clients, not even in panic
 * mode.
 *
 * <p>Cost: one lookup ({@link TokenTable}), plus the other strategy if there is no token; 40 to 80 bytes for
 * each member and key. Compiling takes one microsecond for each new backend.
 */
final class Sticky implements Strategy {

    private final Strategy fallback;
    private final SessionTokens tokens;
    private final long secret = new SecureRandom().nextLong();

    /** @param otherwise the strategy for requests that have no token, or whose member cannot serve them */
    Sticky(StickyConfig config, Strategy otherwise) {
        this.fallback = otherwise;
        this.tokens = new SessionTokens(config.keys());
    }

    @Override
    public StrategyKind kind() {
        return StrategyKind.STICKY;
    }

    @Override
    public SessionTokens tokens() {
        return tokens;
    }

    @Override
    public @Nullable CheckTimes checkTimes() {
        return fallback.checkTimes();
    }

    @Override
    public Picker compile(List<Member> members) {
        return compile(members, backends(members));
    }

    @Override
    public List<Member> panicMembers(List<Member> members, Set<Backend> healthy) {
        return fallback.panicMembers(members, healthy);
    }

    @Override
    public Picker compile(List<Member> members, Set<Backend> healthy) {
        tokens.retainBackends(backends(members));
        Picker picker = fallback.compile(members, healthy);
        if (members.size() <= 1) {
            return picker;
        }
        List<Member> tied = members.stream()
                .filter(member -> healthy.contains(member.backend()))
                .toList();
        TokenTable table = new TokenTable(
                tied.stream().map(member -> tokens.of(member.backend())).toList(), secret);
        Candidates candidates = new Candidates(tied);
        return context -> pick(candidates, table, picker, context);
    }

    private static Set<Backend> backends(List<Member> members) {
        return members.stream().map(Member::backend).collect(Collectors.toSet());
    }

    private static @Nullable Backend pick(
            Candidates candidates, TokenTable table, Picker otherwise, PickContext context) {
        long high = context.tokenHigh();
        long low = context.tokenLow();
        if ((high | low) != 0) {
            int member = table.find(high, low);
            if (member != TokenTable.NONE && candidates.isOpen(member, context)) {
                return candidates.at(member);
            }
        }
        return otherwise.pick(context);
    }
}
