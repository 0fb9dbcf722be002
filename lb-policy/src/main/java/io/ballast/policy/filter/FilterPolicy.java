package io.ballast.policy.filter;

import static java.util.Objects.requireNonNull;

import io.ballast.filter.BodyAccess;
import io.ballast.filter.Filter;
import io.ballast.filter.FilterAnswer;
import io.ballast.filter.FilterBody;
import io.ballast.filter.FilterHeader;
import io.ballast.filter.HeaderEdits;
import io.ballast.filter.RequestResult;
import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.DirectResponse;
import io.ballast.http.policy.PendingDecision;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.http.policy.RequestBody;
import io.ballast.http.policy.ResponsePolicy;
import io.ballast.http.transform.BodyTransform;
import io.ballast.http.transform.ResponseEdit;
import io.ballast.policy.config.FilterConfig;
import io.ballast.policy.config.FilterConfig.OnError;
import io.ballast.policy.filter.call.CallOutcome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Lets a filter in Java evaluate requests and change heads. The filter runs on its own threads; the request or the
 * response waits for it without blocking the event loop. Allocates for each request.
 */
public final class FilterPolicy implements ResponsePolicy {

    private static final Refusal TOO_LARGE =
            new Refusal(413, "filter_body_too_large", "the request body is larger than a filter of this site accepts");
    private static final Refusal CLOSED = Refusal.undecided("filter_closed");

    private final OnError onError;
    private final RunningFilter running;
    private final BodyAccess bodies;
    private final List<String> requestHeaders;
    private final boolean changesResponses;

    /** @param running the filter, which this object closes */
    public FilterPolicy(FilterConfig config, RunningFilter running) {
        this.onError = config.onError();
        this.running = running;
        this.bodies = running.bodies();
        this.requestHeaders = running.requestHeaders();
        this.changesResponses = running.changesResponses();
    }

    Filter filter() {
        return running.filter();
    }

    @Override
    public Phase phase() {
        return Phase.FILTER;
    }

    // ---- requests

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        FilterUses.Use use = running.uses().begin();
        if (use == null) {
            return onError == OnError.PASS ? PolicyDecision.PASS : CLOSED;
        }
        try {
            FilteredRequest state = new FilteredRequest(RequestSnapshot.of(exchange), use);
            exchange.setNote(step, state);
            return bodies.maxBytes() > 0 ? awaitBody(exchange, state) : call(exchange, state);
        } catch (RuntimeException e) {
            use.end();
            throw e;
        }
    }

    private PolicyDecision awaitBody(PolicyExchange exchange, FilteredRequest state) {
        CompletableFuture<Continuation> next = exchange.readBody(
                        bodies.maxBytes(), /* needsWhole= */ !bodies.truncates())
                .thenApply(body -> new Step(state) {
                    @Override
                    public PolicyDecision decide(PolicyExchange now, int step) {
                        return withBody(now, state, body);
                    }
                });
        return pending(next, state, /* isTransfer= */ true);
    }

    private PolicyDecision withBody(PolicyExchange exchange, FilteredRequest state, RequestBody body) {
        if (!body.isComplete() && !bodies.truncates()) {
            state.use.end();
            return TOO_LARGE;
        }
        state.request = state.request.withBody(FilterBody.of(body.bytes(), body.isComplete()));
        return call(exchange, state);
    }

    private PolicyDecision call(PolicyExchange exchange, FilteredRequest state) {
        RequestSnapshot request = state.request;
        Filter filter = running.filter();
        CompletableFuture<Continuation> decision =
                running.call(exchange, () -> filter.onRequest(request), result -> new Step(state) {
                    @Override
                    public PolicyDecision decide(PolicyExchange now, int step) {
                        return decided(now, step, state, result);
                    }
                });
        return pending(decision, state, /* isTransfer= */ false);
    }

    private static PendingDecision pending(
            CompletableFuture<Continuation> decision, FilteredRequest state, boolean isTransfer) {
        decision.whenComplete((next, failure) -> {
            if (failure != null) {
                state.use.end(); // the request has ended without a decision
            }
        });
        return new PendingDecision(decision, isTransfer);
    }

    private PolicyDecision decided(
            PolicyExchange exchange, int step, FilteredRequest state, CallResult<RequestResult> result) {
        running.count(result.outcome());
        RequestResult decided = result.value();
        if (decided == null) {
            return failed(state, result.outcome());
        }
        if (decided.answer().isPresent()) {
            state.use.end();
            return answer(decided.answer().get(), exchange);
        }
        if (exchange.isDryRun(step)) {
            state.use.end();
            return PolicyDecision.PASS;
        }
        if (!changesResponses) {
            state.request = state.request.withBody(FilterBody.EMPTY); // frees the body during a long exchange
        }
        AppliedEdits.toRequest(decided.requestEdits(), exchange);
        state.responseEdits = decided.responseEdits();
        if (changesResponses || !state.responseEdits.isEmpty()) {
            exchange.awaitResponse(step);
        }
        return PolicyDecision.PASS;
    }

    private PolicyDecision failed(FilteredRequest state, CallOutcome outcome) {
        if (onError == OnError.REFUSE) {
            state.use.end();
            return FilterRefusals.of(outcome);
        }
        return PolicyDecision.PASS; // the use of the filter ends with the request
    }

    private static DirectResponse answer(FilterAnswer answer, PolicyExchange exchange) {
        for (FilterHeader line : answer.headers()) {
            HeaderLineEditor.append(exchange.responseLines(), line.name(), line.value());
        }
        return new DirectResponse(answer.status(), "filter_answer", answer.contentType(), answer.body());
    }

    /** A continuation of a request that ends the use of the filter if the request has ended. */
    private abstract static class Step implements Continuation {

        private final FilteredRequest state;

        Step(FilteredRequest state) {
            this.state = state;
        }

        @Override
        public void dropped() {
            state.use.end();
        }
    }

    // ---- responses

    @Override
    public @Nullable CompletableFuture<?> prepare(PolicyExchange exchange, int step, ResponseEdit response) {
        if (!changesResponses) {
            return null;
        }
        FilteredRequest state = state(exchange, step);
        RequestSnapshot request = state.request;
        Filter filter = running.filter();
        ResponseView view = ResponseView.of(response.head());
        CompletableFuture<Continuation> decision =
                running.call(exchange, () -> filter.onResponse(request, view), result -> {
                    state.responseResult = result;
                    return PolicyDecision.PASS;
                });
        state.responseDecision = decision;
        decision.whenComplete((next, failure) -> {
            CallResult<HeaderEdits> result = state.responseResult;
            if (failure == null && result != null) {
                running.count(result.outcome());
            }
        });
        return onError == OnError.PASS ? decision : decision.thenAccept(next -> requireEdits(state));
    }

    private static void requireEdits(FilteredRequest state) {
        CallResult<HeaderEdits> result = state.responseResult;
        if (result == null || result.outcome() != CallOutcome.OK) {
            throw new IllegalStateException("the filter has not evaluated the response");
        }
    }

    @Override
    public @Nullable BodyTransform respond(PolicyExchange exchange, int step, ResponseEdit response) {
        FilteredRequest state = state(exchange, step);
        AppliedEdits.toResponse(state.responseEdits, response);
        CallResult<HeaderEdits> result = state.responseResult;
        HeaderEdits edits = result == null ? null : result.value();
        if (edits != null) {
            AppliedEdits.toResponse(edits, response);
        }
        return null;
    }

    private static FilteredRequest state(PolicyExchange exchange, int step) {
        return (FilteredRequest) requireNonNull(exchange.note(step));
    }

    // ---- the end

    @Override
    public boolean observesEnd() {
        return true;
    }

    @Override
    public void ended(PolicyExchange exchange, int step, int status) {
        if (exchange.note(step) instanceof FilteredRequest state) {
            state.end();
        }
    }

    @Override
    public void close() {
        running.close();
    }

    @Override
    public List<String> requestHeaders() {
        return requestHeaders;
    }

    @Override
    public Map<String, Long> results() {
        return running.calls();
    }
}
