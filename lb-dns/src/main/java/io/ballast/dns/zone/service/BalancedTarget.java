package io.ballast.dns.zone.service;

import io.ballast.core.balance.Hash64;
import io.ballast.dns.answer.data.AnswerSource;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.TargetConfig.Thresholds;
import io.ballast.dns.zone.pool.PoolView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Balances over all healthy targets: in turn, at random, by weight, or by the client's network. */
final class BalancedTarget extends TargetBranch {

    /**
     * Number of slots of the hash space. With n targets, the relative error of a share is {@code sqrt(n /
     * SLOTS)}.
     */
    static final int SLOTS = 4096;

    private final Routing routing;
    private final int cursor;

    /** @param cursor index of a query cursor that no other target uses */
    BalancedTarget(Routing routing, Thresholds thresholds, List<Target> inside, int cursor) {
        super(thresholds, inside);
        this.routing = routing;
        this.cursor = cursor;
    }

    @Override
    CompiledTarget choose(List<CompiledTarget> each, PoolView view) {
        int[] eligible = eligible(children(), each);
        if (eligible.length <= 1) {
            return eligible.length == 0 ? CompiledTarget.nothing(0) : each.get(eligible[0]);
        }
        List<CompiledTarget> chosen =
                Arrays.stream(eligible).mapToObj(each::get).toList();
        List<AnswerSource> sources =
                chosen.stream().map(CompiledTarget::requireSource).toList();
        AnswerSource source =
                switch (routing) {
                    case ROUND_ROBIN -> AnswerSource.roundRobin(sources, cursor);
                    case HASH -> AnswerSource.hashed(slots(eligible, each), cursor);
                    default -> AnswerSource.weighted(sources, weights(eligible));
                };
        return new CompiledTarget(source, CompiledTarget.addresses(chosen), 0, 0);
    }

    private int[] weights(int[] eligible) {
        return Arrays.stream(eligible).map(i -> children().get(i).weight()).toArray();
    }

    /**
     * Assigns each slot to the target with the highest score for the slot (rendezvous hashing). If a target
     * becomes unavailable, only its own slots move to other targets. They move back when the target is available
     * again.
     */
    private static List<AnswerSource> slots(int[] eligible, List<CompiledTarget> each) {
        List<AnswerSource> slots = new ArrayList<>(SLOTS);
        for (int slot = 0; slot < SLOTS; slot++) {
            slots.add(each.get(owner(slot, eligible)).requireSource());
        }
        return slots;
    }

    private static int owner(int slot, int[] eligible) {
        int best = eligible[0];
        long bestScore = Long.MIN_VALUE;
        for (int target : eligible) {
            long score = Hash64.mix((long) target << 32 | slot);
            if (score > bestScore) {
                best = target;
                bestScore = score;
            }
        }
        return best;
    }

    @Override
    String rule() {
        return routing.label();
    }

    @Override
    String roleOf(int place) {
        return routing == Routing.WEIGHTED ? "weight " + children().get(place).weight() : "";
    }

    @Override
    Reason reason(ExplainedClient client, PoolView view) {
        int[] eligible = eligible(children(), lastCompiledChildren());
        if (eligible.length == 0) {
            return new Reason(List.of(), "no target is healthy");
        }
        return switch (routing) {
            case ROUND_ROBIN -> Reason.of(eligible, "round-robin among these");
            case WEIGHTED -> Reason.of(eligible, "random choice among these, by weight");
            case HASH ->
                new Reason(
                        List.of(owner(AnswerSource.slot(client.hashed(), cursor, SLOTS), eligible)),
                        "by the hash of the client's network");
            default -> Reason.of(eligible, "random choice among these");
        };
    }
}
