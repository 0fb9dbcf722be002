package io.ballast.dns.zone.service;

import io.ballast.dns.config.zone.TargetConfig.Thresholds;
import io.ballast.dns.zone.pool.PoolView;
import java.util.List;

/** Failover: selects the first healthy target; if no target is healthy, selects the first target that has an answer. */
final class FailoverTarget extends TargetBranch {

    FailoverTarget(Thresholds thresholds, List<Target> inside) {
        super(thresholds, inside);
    }

    @Override
    CompiledTarget choose(List<CompiledTarget> each, PoolView view) {
        int[] eligible = eligible(children(), each);
        return eligible.length == 0 ? CompiledTarget.nothing(0) : each.get(eligible[0]);
    }

    @Override
    String rule() {
        return "failover";
    }

    @Override
    String roleOf(int place) {
        return "choice " + (place + 1);
    }

    @Override
    Reason reason(ExplainedClient client, PoolView view) {
        int[] eligible = eligible(children(), lastCompiledChildren());
        if (eligible.length == 0) {
            return new Reason(List.of(), "no target is healthy");
        }
        boolean up = children().get(eligible[0]).isUp(lastCompiledChildren().get(eligible[0]));
        return new Reason(
                List.of(eligible[0]),
                up ? "the first target that is up" : "no target is up; the first that has an answer");
    }
}
