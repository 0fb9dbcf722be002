package io.ballast.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.InstanceofCheck;
import com.tngtech.archunit.core.domain.JavaClass;
import io.ballast.policy.config.PolicyRule;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that each kind of policy rule has a branch that creates its policy. */
class PolicyRulesTest {

    /** The classes that create policies from rules. The second class creates combinations of policies. */
    private static final List<String> CREATORS =
            List.of("io.ballast.policy.PolicyFactory", "io.ballast.policy.PolicyCompiler");

    @Test
    void everyRuleHasABranchThatCreatesItsPolicy() {
        Set<String> branches = CREATORS.stream()
                .map(Classes.OF_ALL_MODULES::get)
                .flatMap(creator -> creator.getInstanceofChecks().stream())
                .map(InstanceofCheck::getRawType)
                .map(JavaClass::getName)
                .collect(Collectors.toSet());

        assertThat(Classes.OF_ALL_MODULES)
                .filteredOn(type -> type.isAssignableTo(PolicyRule.class) && !type.isInterface())
                .extracting(JavaClass::getName)
                .isNotEmpty()
                .allSatisfy(rule -> assertThat(branches)
                        .as("types that PolicyFactory distinguishes; add a branch for " + rule)
                        .contains(rule));
    }
}
