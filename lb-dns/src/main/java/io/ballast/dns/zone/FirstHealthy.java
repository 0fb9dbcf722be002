package io.ballast.dns.zone;

import io.ballast.core.config.TargetConfig.Standing;
import java.util.List;

/** Failover: the first target that is up; if none is, the first that answers. */
final class FirstHealthy extends Branch {

    FirstHealthy(Standing standing, List<Target> inside) {
        super(standing, inside);
    }

    @Override
    Compiled choose(List<Compiled> each, Moment moment) {
        int[] eligible = eligible(inside(), each);
        return eligible.length == 0 ? Compiled.nothing(0) : each.get(eligible[0]);
    }
}
