package io.ballast.config.keys.policy;

import io.ballast.config.key.ListType;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.NameReference;
import io.ballast.policy.config.CombinationConfig;
import io.ballast.policy.config.CombinationConfig.Mode;

/** The values of {@code policies.NAME.any} and {@code policies.NAME.all}. */
final class CombinationKeys {

    static final Type<CombinationConfig> ANY = type(Mode.ANY);
    static final Type<CombinationConfig> ALL = type(Mode.ALL);

    private CombinationKeys() {}

    private static Type<CombinationConfig> type(Mode mode) {
        return ListType.atLeastOne(NameReference.POLICY)
                .unique("policy", name -> name)
                .map(names -> new CombinationConfig(mode, names), CombinationConfig::policies);
    }
}
