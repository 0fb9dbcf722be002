package io.ballast.policy.config;

/** The settings of a policy. Immutable. If the rule is unchanged, a reload keeps the state of its policy. */
public interface PolicyRule {

    /** The key that selects this kind of policy in the configuration, such as {@code rate_limit}. */
    String kind();

    /**
     * Whether the policy authenticates requests, so that {@code any} and {@code all} may combine it with other
     * policies. Such a policy belongs to the phase {@code IDENTITY}, stores no mark and does not observe the end of
     * requests.
     */
    default boolean authenticates() {
        return false;
    }
}
