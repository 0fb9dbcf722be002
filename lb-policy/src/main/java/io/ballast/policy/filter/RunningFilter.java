package io.ballast.policy.filter;

import static java.util.Objects.requireNonNull;

import io.ballast.core.ErrorText;
import io.ballast.filter.BodyAccess;
import io.ballast.filter.Filter;
import io.ballast.filter.FilterSettings;
import io.ballast.filter.HeaderEdits;
import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.policy.config.FilterConfig;
import io.ballast.policy.filter.call.CallOutcome;
import io.ballast.policy.filter.call.FilterCalls;
import io.ballast.policy.filter.jar.FilterCode;
import io.ballast.policy.work.PolicyEnvironment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A created filter with its threads, counters and declarations. Thread safety: all methods may be called concurrently;
 * only {@link #close} blocks.
 */
public final class RunningFilter {

    /** How long a replaced filter may take to close before a reload continues. */
    private static final long CLOSE_MILLIS = 2_000;

    /**
     * Null after the filter was closed, so that its classes are freed although a connection still refers to this
     * object.
     */
    private volatile @Nullable Filter filter;

    private final BodyAccess bodies;
    private final List<String> requestHeaders;
    private final boolean changesResponses;
    private final long deadlineNanos;
    private final FilterCalls calls;
    private final FilterUses uses;
    private final CallCounters counters = new CallCounters();
    private final FilterFailureLog log;

    private RunningFilter(FilterConfig config, FilterCode code, Filter filter, PolicyEnvironment environment) {
        this.filter = filter;
        this.bodies = filter.requestBody();
        this.requestHeaders = List.copyOf(filter.requestHeaders());
        this.changesResponses = filter.changesResponses();
        this.deadlineNanos = config.deadline().toNanos();
        this.calls = new FilterCalls(
                code.name(),
                config.threads(),
                config.queue(),
                code.loader(),
                environment.events(),
                environment.nanoTime());
        this.uses = new FilterUses(() -> calls.closeAfter(this::closeFilter));
        this.log = new FilterFailureLog(code.name(), environment.nanoTime());
    }

    /**
     * Loads a jar and creates its filter. Blocks.
     *
     * @throws IllegalStateException if the filter cannot be created, or its declarations are not permitted
     */
    public static RunningFilter create(FilterConfig config, PolicyEnvironment environment) {
        FilterCode code;
        Filter filter;
        try {
            code = FilterCode.load(config.jar(), config.className());
            FilterSettings settings = FilterSettings.of(config.settings());
            code.check(settings);
            filter = code.create(settings);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(ErrorText.of(e), e);
        }
        try {
            RunningFilter running = new RunningFilter(config, code, filter, environment);
            running.checkDeclarations(config);
            return running;
        } catch (RuntimeException | LinkageError e) {
            closeQuietly(filter);
            throw new IllegalStateException(config.jar() + ": class " + code.name() + ": " + ErrorText.of(e), e);
        }
    }

    private void checkDeclarations(FilterConfig config) {
        requestHeaders.forEach(name -> HeaderEdits.NONE.remove(name)); // rejects headers that a filter must not set
        if (bodies.maxBytes() > config.maxBody()) {
            throw new IllegalArgumentException("the filter reads bodies of up to " + bodies.maxBytes()
                    + " bytes (expected: at most max_body, which is " + config.maxBody() + " bytes)");
        }
    }

    private static void closeQuietly(Filter filter) {
        try {
            filter.close();
        } catch (RuntimeException | LinkageError ignored) {
            // the caller already reports another reason to reject the filter
        }
    }

    /**
     * Calls the filter. Called on the event loop of the exchange.
     *
     * @param then converts a result to a decision. It is called in advance for a missed deadline, and later for the
     *     actual result, on any thread
     * @return the decision; its cancellation ends the call
     */
    <T> CompletableFuture<Continuation> call(
            PolicyExchange exchange,
            Callable<? extends CompletionStage<T>> call,
            Function<CallResult<T>, Continuation> then) {
        CompletableFuture<Continuation> decision =
                exchange.later(deadlineNanos, then.apply(CallResult.failed(CallOutcome.TIMEOUT)));
        CompletableFuture<T> result = calls.start(call);
        result.whenComplete((value, failure) -> {
            if (!result.isCancelled()) {
                CallResult<T> known = CallResult.of(value, failure);
                if (known.outcome() == CallOutcome.ERROR && failure != null) {
                    log.log(failure);
                }
                decision.complete(then.apply(known));
            }
        });
        decision.whenComplete((next, failure) -> {
            result.cancel(/* mayInterruptIfRunning= */ false);
            if (decision.isCancelled()) {
                count(CallOutcome.CANCELLED);
            }
        });
        return decision;
    }

    void count(CallOutcome outcome) {
        counters.count(outcome);
    }

    Map<String, Long> calls() {
        return counters.byLabel();
    }

    FilterUses uses() {
        return uses;
    }

    /** Returns the filter. Must be called only while a request uses it; see {@link FilterUses}. */
    Filter filter() {
        return requireNonNull(filter);
    }

    BodyAccess bodies() {
        return bodies;
    }

    List<String> requestHeaders() {
        return requestHeaders;
    }

    boolean changesResponses() {
        return changesResponses;
    }

    private void closeFilter() {
        Filter closing = filter();
        filter = null;
        try {
            closing.close();
        } catch (RuntimeException | LinkageError e) {
            log.log(e);
        }
    }

    /**
     * Closes the filter after the last request that uses it. If no request uses it, waits a short time until it is
     * closed.
     */
    void close() {
        uses.close();
        if (uses.isClosed()) {
            boolean unused = calls.awaitEnd(CLOSE_MILLIS);
        }
    }
}
