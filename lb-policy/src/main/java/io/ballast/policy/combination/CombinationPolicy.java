package io.ballast.policy.combination;

import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.Identity;
import io.ballast.http.policy.PendingDecision;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.policy.config.CombinationConfig.Mode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Combines authentication policies. With {@code any}, the header lines and the identity of a policy that does not
 * decide are dropped. Immutable; the policies have their own state, and this object does not close them. Allocates one
 * object for each evaluated member.
 */
public final class CombinationPolicy implements Policy {

    /** The decision of a member that failed, for example because its service did not answer. */
    private static final Refusal FAILED = Refusal.undecided("policy_failed");

    private final Mode mode;
    private final Policy[] members;
    private final List<String> requestHeaders;
    private final List<String> credentialHeaders;
    private final List<String> responseHeaders;

    /** @param members the policies in the order of their evaluation; at least one */
    public CombinationPolicy(Mode mode, List<Policy> members) {
        this.mode = mode;
        this.members = members.toArray(Policy[]::new);
        this.requestHeaders = headers(members, Policy::requestHeaders);
        this.credentialHeaders = headers(members, Policy::credentialHeaders);
        this.responseHeaders = headers(members, Policy::responseHeaders);
    }

    private static List<String> headers(List<Policy> members, Function<Policy, List<String>> names) {
        return members.stream()
                .flatMap(member -> names.apply(member).stream())
                .distinct()
                .toList();
    }

    @Override
    public Phase phase() {
        return Phase.IDENTITY;
    }

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        return evaluate(exchange, step, /* member= */ 0);
    }

    private PolicyDecision evaluate(PolicyExchange exchange, int step, int member) {
        PendingMember at = PendingMember.of(exchange, step, member);
        PolicyDecision decision = members[member].evaluate(exchange, step);
        if (decision instanceof PendingDecision pending) {
            return later(pending, at);
        }
        if (isFinal(decision, member)) {
            return decision;
        }
        drop(exchange, at);
        return evaluate(exchange, step, member + 1);
    }

    /** A member with a pending decision, and the results of earlier policies, which {@link #drop} restores. */
    private record PendingMember(
            int step, int member, int requestLines, int responseLines, int defaultLines, Identity identity) {

        static PendingMember of(PolicyExchange exchange, int step, int member) {
            return new PendingMember(
                    step,
                    member,
                    exchange.requestLines().length(),
                    exchange.responseLines().length(),
                    exchange.defaultLines().length(),
                    exchange.identity());
        }
    }

    private PendingDecision later(PendingDecision pending, PendingMember at) {
        CompletableFuture<? extends Continuation> result = pending.decision();
        CompletableFuture<Continuation> own = result.handle(
                (decided, failure) -> (exchange, step) -> resume(exchange, decided == null ? FAILED : decided, at));
        own.whenComplete((decided, failure) -> {
            if (own.isCancelled()) {
                result.cancel(/* mayInterruptIfRunning= */ false);
            }
        });
        return new PendingDecision(own);
    }

    private PolicyDecision resume(PolicyExchange exchange, Continuation decided, PendingMember at) {
        PolicyDecision decision = decided.decide(exchange, at.step());
        if (decision instanceof PendingDecision again) {
            return later(again, at);
        }
        if (isFinal(decision, at.member())) {
            return decision;
        }
        drop(exchange, at);
        return evaluate(exchange, at.step(), at.member() + 1);
    }

    private boolean isFinal(PolicyDecision decision, int member) {
        boolean passes = decision instanceof PolicyDecision.Pass;
        return member == members.length - 1 || passes == (mode == Mode.ANY);
    }

    /** Drops the header lines and the identity that the last member has set, if its decision has no effect. */
    private void drop(PolicyExchange exchange, PendingMember at) {
        if (mode == Mode.ANY) {
            exchange.requestLines().truncate(at.requestLines());
            exchange.responseLines().truncate(at.responseLines());
            exchange.defaultLines().truncate(at.defaultLines());
            exchange.setIdentity(at.identity());
        }
    }

    @Override
    public List<String> requestHeaders() {
        return requestHeaders;
    }

    @Override
    public List<String> credentialHeaders() {
        return credentialHeaders;
    }

    @Override
    public List<String> responseHeaders() {
        return responseHeaders;
    }
}
