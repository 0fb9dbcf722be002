package io.ballast.policy.config;

/** What a policy checks. Immutable; an unchanged rule keeps the state of its policy over a reload. */
public interface PolicyRule {

    /** The key that selects this kind of policy in the configuration, such as {@code rate_limit}. */
    String kind();
}
