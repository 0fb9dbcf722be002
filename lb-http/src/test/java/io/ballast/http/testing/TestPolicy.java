package io.ballast.http.testing;

import io.ballast.core.stats.Counters;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;

/** A policy whose decisions a test defines. Records the end of each request that it let pass. */
public final class TestPolicy implements Policy {

    /** The mark that {@link #ended} must find again. */
    private static final long MARK = 42;

    private final String name;
    private final Phase phase;
    private final Function<PolicyExchange, PolicyDecision> rule;
    private final Counters<PolicyCounter> counters = new Counters<>(PolicyCounter.class, /* shards= */ 2);
    private final Queue<Integer> ends = new ConcurrentLinkedQueue<>();
    private Consumer<PolicyExchange> endAction = exchange -> {};
    private List<String> requestHeaders = List.of();
    private List<String> responseHeaders = List.of();
    private List<String> credentialHeaders = List.of();
    private boolean replacing;

    public TestPolicy(String name, Phase phase, Function<PolicyExchange, PolicyDecision> rule) {
        this.name = name;
        this.phase = phase;
        this.rule = rule;
    }

    /** Sets the names of the headers that the policy may set. */
    public TestPolicy setting(List<String> ofRequests, List<String> ofResponses) {
        requestHeaders = ofRequests;
        responseHeaders = ofResponses;
        return this;
    }

    /** Runs an action at the end of each request. */
    public void onEnd(Consumer<PolicyExchange> action) {
        endAction = action;
    }

    /** Sets the names of the headers with credentials. */
    public TestPolicy hiding(List<String> names) {
        credentialHeaders = names;
        return this;
    }

    /** Lets the last policy of this kind replace earlier policies of the same kind. */
    public TestPolicy replacingSameKind() {
        replacing = true;
        return this;
    }

    @Override
    public boolean replacesSameKind() {
        return replacing;
    }

    public NamedPolicy named() {
        return new NamedPolicy(name, "test", this, /* dryRun= */ false, counters);
    }

    /** Returns the policy with {@code dry_run}. */
    public NamedPolicy dryRun() {
        return new NamedPolicy(name, "test", this, /* dryRun= */ true, counters);
    }

    public long count(PolicyCounter counter) {
        return counters.sum(counter);
    }

    /** The statuses of ended requests. */
    public List<Integer> ends() {
        return List.copyOf(ends);
    }

    @Override
    public Phase phase() {
        return phase;
    }

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        exchange.setMark(step, MARK);
        return rule.apply(exchange);
    }

    @Override
    public boolean observesEnd() {
        return true;
    }

    @Override
    public void ended(PolicyExchange exchange, int step, int status) {
        endAction.accept(exchange);
        ends.add(exchange.mark(step) == MARK ? status : -1);
    }

    @Override
    public List<String> requestHeaders() {
        return requestHeaders;
    }

    @Override
    public List<String> responseHeaders() {
        return responseHeaders;
    }

    @Override
    public List<String> credentialHeaders() {
        return credentialHeaders;
    }
}
