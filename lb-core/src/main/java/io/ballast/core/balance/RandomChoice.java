package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws a member at random, in proportion to weight ({@link WeightedDraw}).
 *
 * <p>If the member is excluded or full, another one is drawn. After {@value #DRAWS} draws, the members are
 * tried one after the other, starting at the last one drawn.
 *
 * <p>Cost: one random number and one table look-up; no state is shared between event loops.
 */
final class RandomChoice implements Strategy {

    static final int DRAWS = 8;

    @Override
    public StrategyKind kind() {
        return StrategyKind.RANDOM;
    }

    @Override
    public Picker compile(List<Member> members) {
        if (members.size() <= 1) {
            return SingleMember.orNone(members);
        }
        Candidates candidates = new Candidates(members);
        WeightedDraw draw = candidates.draw();
        return context -> pick(candidates, draw, context);
    }

    private static @Nullable Backend pick(Candidates candidates, WeightedDraw draw, PickContext context) {
        int member = 0;
        for (int i = 0; i < DRAWS; i++) {
            member = draw.member((int) (context.nextRandom() >>> 32));
            if (candidates.isOpen(member, context)) {
                return candidates.at(member);
            }
        }
        return candidates.openFrom(member, context);
    }
}
