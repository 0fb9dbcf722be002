package io.ballast.core.balance;

import io.ballast.core.backend.BackendLoads;
import io.ballast.core.backend.ResponseTime;
import io.ballast.core.config.StrategyKind;
import java.util.List;

/**
 * Draws two members by weight and takes the one that is likely to answer the request first: the member with
 * the lower {@linkplain ResponseTime peak-sensitive average} of response times × (in flight + 1) / weight
 * ({@link TwoChoices}).
 *
 * <p>The average decays without samples, so a slow backend is tried again. A failure is recorded as a slow
 * response, so a backend that fails fast does not attract requests. A backend that has never answered is
 * tried immediately while it is idle. While it is not idle, it is preferred only to other backends that have
 * never answered and have more exchanges in flight per weight. So it gets one request at a time until it
 * answers.
 *
 * <p>Cost: that of {@link PowerOfTwo} plus a few floating-point operations for each of the two members.
 */
final class LeastResponseTime implements Strategy {

    /**
     * The cost per exchange in flight on a member without a measured response time, in microseconds. It is far
     * above the cost of any measured member.
     */
    private static final float UNMEASURED = 0x1p60f;

    @Override
    public StrategyKind kind() {
        return StrategyKind.LEAST_RESPONSE_TIME;
    }

    @Override
    public Picker compile(List<Member> members) {
        return members.size() <= 1 ? SingleMember.orNone(members) : new LowerCost(new Candidates(members));
    }

    private static final class LowerCost extends TwoChoices {

        private final BackendLoads loads;

        LowerCost(Candidates candidates) {
            super(candidates);
            this.loads = candidates.loads();
        }

        @Override
        long compare(int second, int first, PickContext context) {
            long now = context.nowNanos();
            float difference =
                    cost(second, now) * candidates.weight(first) - cost(first, now) * candidates.weight(second);
            return Float.floatToRawIntBits(difference); // keeps the sign; equal costs give a positive zero
        }

        /** Returns the expected response time, not divided by the weight. */
        private float cost(int member, long nowNanos) {
            float micros = loads.responseMicros(member, nowNanos);
            int inFlight = loads.inFlight(member);
            return micros > 0 ? micros * (inFlight + 1) : UNMEASURED * inFlight;
        }
    }
}
