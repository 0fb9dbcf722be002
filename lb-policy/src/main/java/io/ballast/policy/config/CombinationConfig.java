package io.ballast.policy.config;

import io.ballast.core.Checks;
import java.util.List;
import java.util.Locale;

/**
 * A combination of authentication policies.
 *
 * @param policies the names of the policies, in the order of their evaluation; at least one
 */
public record CombinationConfig(Mode mode, List<String> policies) implements PolicyRule {

    /** How the decisions of the policies are combined. */
    public enum Mode {
        /** The first policy that passes decides; if none passes, the last one answers. */
        ANY,
        /** All policies must pass; the first that does not pass answers. */
        ALL
    }

    public CombinationConfig {
        policies = List.copyOf(policies);
        Checks.that(!policies.isEmpty(), "policies", policies, "at least one name");
    }

    @Override
    public String kind() {
        return mode.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public boolean authenticates() {
        return true;
    }
}
