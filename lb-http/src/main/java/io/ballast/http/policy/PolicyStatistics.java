package io.ballast.http.policy;

import io.ballast.core.stats.Metric;
import io.ballast.core.stats.Statistic;
import java.util.List;

/** The statistics of a policy. */
public final class PolicyStatistics {

    /** All statistics of a policy, in the order of the metrics and of the API. */
    public static final List<Statistic<NamedPolicy>> ALL = List.of(
            Statistic.ofCounters(
                    Metric.counter(
                            "ballast.policy.requests",
                            "Requests that a policy has evaluated, by outcome: passed, answered (with a response of"
                                    + " the policy's own, such as a redirect to a login page), refused, would_refuse (with"
                                    + " dry_run), failed (the policy could not decide: the request is refused with 503, or"
                                    + " with 500 after an error of a filter)",
                            "policy",
                            "kind",
                            "outcome"),
                    "requests",
                    List.of(PolicyCounter.values()),
                    (policy, counter) -> policy.counters().sum(counter)),
            Statistic.ofLabels(
                    Metric.counter(
                            "ballast.policy.responses",
                            "Responses of backends that a policy has handled, by outcome, such as compressed; mirrored"
                                    + " requests by outcome; only for policies that change responses or mirror requests",
                            "policy",
                            "kind",
                            "outcome"),
                    "responses",
                    (policy, samples) -> policy.policy().responses().forEach(samples::value)),
            Statistic.ofLabels(
                    Metric.gauge(
                            "ballast.policy.state",
                            "Current values of a policy: limit (of concurrent requests, which may be adaptive), in_flight,"
                                    + " waiting (in the queue), keys (with requests in flight), open (1 while a circuit breaker"
                                    + " refuses requests or sends few as a test), cached_bytes, cached_responses,"
                                    + " waiting_requests (of a cache), nodes (that share a limit) and moved_keys (for"
                                    + " which this node lends or borrows a part)",
                            "policy",
                            "kind",
                            "value"),
                    "state",
                    (policy, samples) -> policy.policy().state().forEach(samples::value)),
            Statistic.ofLabels(
                    Metric.counter(
                            "ballast.policy.results",
                            "Results of operations of a policy other than its decisions: of logins, such as"
                                    + " login_completed; of the calls of a filter in Java: ok, error (an exception),"
                                    + " timeout (interrupted at its deadline), queue_full, stuck (all threads are"
                                    + " occupied by interrupted calls), cancelled (the request ended before the call)",
                            "policy",
                            "kind",
                            "result"),
                    "results",
                    (policy, samples) -> policy.policy().results().forEach(samples::value)));

    private PolicyStatistics() {}
}
