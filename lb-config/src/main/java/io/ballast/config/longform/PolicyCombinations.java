package io.ballast.config.longform;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;
import io.ballast.policy.config.CombinationConfig;
import io.ballast.policy.config.PolicyConfig;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks the policies that {@code any} and {@code all} combine. */
final class PolicyCombinations {

    private final Map<String, PolicyConfig> policies;
    private final ReadContext reading;

    private PolicyCombinations(Map<String, PolicyConfig> policies, ReadContext reading) {
        this.policies = policies;
        this.reading = reading;
    }

    /** Reports every member of a combination that does not authenticate, has {@code dry_run} or is part of a cycle. */
    static void check(BallastConfig config, Node.Mapping root, ReadContext reading) {
        PolicyCombinations combinations = new PolicyCombinations(config.policies(), reading);
        root.entry("policies").map(Node.Entry::value).ifPresent(node -> {
            if (node instanceof Node.Mapping mapping) {
                mapping.entries().forEach((name, entry) -> combinations.check(name, entry.value()));
            }
        });
    }

    private void check(String name, Node policy) {
        List<String> members = members(name);
        if (members.isEmpty() || !(policy instanceof Node.Mapping mapping)) {
            return;
        }
        for (String mode : List.of("any", "all")) {
            mapping.entry(mode).map(Node.Entry::value).ifPresent(value -> {
                if (value instanceof Node.Sequence sequence) {
                    sequence.items().forEach(item -> checkMember(name, item));
                }
            });
        }
    }

    private void checkMember(String combination, Node item) {
        PolicyConfig member = item instanceof Node.Scalar word ? policies.get(word.text()) : null;
        if (member == null) {
            return; // the name is unknown, which was reported before
        }
        String subject = "policy '" + member.name() + "'";
        if (!member.rule().authenticates()) {
            reading.error(
                    item,
                    subject + " of the kind " + member.rule().kind()
                            + " cannot be combined (expected: a policy that authenticates, such as basic)");
        } else if (member.dryRun()) {
            reading.error(item, subject + " has dry_run (expected: dry_run of the combination)");
        } else if (reaches(member.name(), combination)) {
            reading.error(item, subject + " contains '" + combination + "' (expected: no cycle)");
        }
    }

    /** Whether the policy {@code from} is the policy {@code wanted}, or contains it. */
    private boolean reaches(String from, String wanted) {
        Set<String> reached = new HashSet<>(Set.of(from));
        List<String> next = List.of(from);
        while (!next.isEmpty()) {
            next = next.stream()
                    .flatMap(name -> members(name).stream())
                    .filter(reached::add)
                    .toList();
        }
        return reached.contains(wanted);
    }

    private List<String> members(String name) {
        PolicyConfig policy = policies.get(name);
        return policy != null && policy.rule() instanceof CombinationConfig combination
                ? combination.policies()
                : List.of();
    }
}
