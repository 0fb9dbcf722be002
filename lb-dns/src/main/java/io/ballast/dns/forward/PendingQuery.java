package io.ballast.dns.forward;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.PickContext;
import io.ballast.core.balance.Picker;
import io.ballast.dns.forward.cache.CacheEntry;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.forward.upstream.Upstreams;
import io.ballast.dns.forward.validate.Validator;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.Rcode;
import io.ballast.net.timer.DeadlineWheel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pending query to resolvers: its waiting clients, its attempts and its outcome.
 *
 * <p>The pool's strategy picks the resolvers. If a resolver does not answer in time, the next resolver is
 * queried in parallel; after a failure, the next resolver is queried immediately. After all resolvers have
 * been queried, they are queried once more, because datagrams get lost. The first valid answer ends the
 * query. If there is none, the result is a stale answer or the last failure response from a resolver.
 *
 * <p>With validation, an answer is valid only if its signatures are valid. During validation, no other
 * resolver is queried, and the time limit continues to run.
 *
 * <p>Event-loop confined.
 */
final class PendingQuery extends DeadlineWheel.Deadline implements PickContext {

    /** Maximum number of attempts, so that a question cannot cause excessive work in a large pool. */
    private static final int MAX_ATTEMPTS = 8;

    /** Maximum number of bogus answers before the question fails. */
    private static final int MAX_BOGUS_ANSWERS = 2;

    private final Forwarder forwarder;
    private final Question question;
    private final Upstream upstream;
    private final ForwardSettings settings;
    private final long startNanos;
    private final List<QueryWaiter> waiters = new ArrayList<>(/* initialCapacity= */ 1);
    private final List<UpstreamAttempt> openAttempts = new ArrayList<>(/* initialCapacity= */ 2);
    private final List<Backend> queriedBackends = new ArrayList<>(/* initialCapacity= */ 2);
    /** Attempts that may have failed because of the question itself. */
    private final List<UpstreamAttempt> suspects = new ArrayList<>(/* initialCapacity= */ 0);

    private long client = Upstreams.NO_CLIENT;
    private int attempts;
    private @Nullable UpstreamAttempt lastAttempt;
    private long retryNanos;
    /** The most recent failure response or bogus answer from a resolver; null if there is none. */
    private @Nullable CacheEntry failureAnswer;

    private @Nullable Backend failed;

    /** The running validation of an answer; null if no answer is being validated. */
    private @Nullable Validation validation;

    /** The resolver whose answer is being validated; {@link #validatedScope} is the scope of that answer. */
    private @Nullable Backend validatedBackend;

    private int validatedScope;

    private int bogus;
    private boolean isStaleServed;
    private boolean isEnded;

    PendingQuery(Forwarder forwarder, Question question, Upstream upstream, ForwardSettings settings) {
        this.forwarder = forwarder;
        this.question = question;
        this.upstream = upstream;
        this.settings = settings;
        this.startNanos = forwarder.now();
        this.retryNanos = startNanos;
    }

    Question question() {
        return question;
    }

    Upstream upstream() {
        return upstream;
    }

    void join(QueryWaiter waiter) {
        if (waiters.isEmpty()) {
            client = waiter.client();
        }
        waiters.add(waiter);
    }

    /** The client of the first waiter, as {@link QueryWaiter#client} returns it. */
    long client() {
        return client;
    }

    void start() {
        queryNext(/* allowsRepeat= */ false);
        if (!isEnded) {
            scheduleDeadline();
        }
    }

    /** Queries the next resolver; ends the query if there is none and no attempt is open. */
    private void queryNext(boolean allowsRepeat) {
        while (!isEnded && attempts < MAX_ATTEMPTS) {
            Backend backend = reserveBackend();
            if (backend == null && allowsRepeat && !queriedBackends.isEmpty()) {
                queriedBackends.clear();
                backend = reserveBackend();
            }
            if (backend == null) {
                break;
            }
            queriedBackends.add(backend);
            attempts++;
            if (attempts > 1 && lastAttempt != null) {
                forwarder.count(DnsCounter.FORWARD_RETRIES);
                lastAttempt.countRetry();
            }
            retryNanos = forwarder.now() + settings.retryAfterNanos();
            UpstreamAttempt next = new UpstreamAttempt(this, backend, forwarder, allowsRepeat);
            lastAttempt = next;
            openAttempts.add(next);
            next.start();
            return;
        }
        if (openAttempts.isEmpty() && !isEnded) {
            fail();
        }
    }

    private @Nullable Backend reserveBackend() {
        Picker picker = upstream.pool().snapshot().picker();
        Backend choice = picker.pick(this);
        while (choice != null && !choice.inFlight().tryBegin()) {
            choice = picker.pick(this);
        }
        return choice;
    }

    /**
     * Handles a response that answers the question.
     *
     * @param message the response in its first {@code length} bytes; copied if needed
     */
    void onAnswer(UpstreamAttempt attempt, CacheEntry answer, byte[] message, int length) {
        openAttempts.remove(attempt);
        if (isEnded) {
            return;
        }
        if (answer.isFailure()) {
            failureAnswer = answer;
            failed = attempt.backend();
            queryNextUnlessValidating();
            return;
        }
        Validator validator = settings.validator();
        if (validator == null || !question.isValidated()) {
            complete(answer, attempt.backend());
        } else if (validation == null) {
            validatedBackend = attempt.backend();
            validatedScope = answer.scope();
            validation = new Validation(forwarder, this, validator, Arrays.copyOf(message, length));
            validation.start();
        }
    }

    private void complete(CacheEntry answer, @Nullable Backend backend) {
        end();
        for (UpstreamAttempt suspect : suspects) {
            if (suspect.backend() != backend) {
                suspect.onAnsweredByOther();
            }
        }
        forwarder.cacheAnswer(settings, question, answer);
        waiters.forEach(waiter -> waiter.onAnswer(answer, backend));
    }

    /** Called when the signatures of the answer are valid, or the answer needs no signatures. */
    void onValidated(CacheEntry answer) {
        validation = null;
        if (!isEnded) {
            complete(answer.withScope(validatedScope), validatedBackend);
        }
    }

    /** Called when the answer is bogus. Queries another resolver, which may have a valid answer. */
    void bogus(CacheEntry bogusAnswer) {
        validation = null;
        if (isEnded) {
            return;
        }
        failureAnswer = bogusAnswer;
        failed = validatedBackend;
        bogus++;
        if (bogus >= MAX_BOGUS_ANSWERS) {
            fail();
            return;
        }
        queryNext(/* allowsRepeat= */ false);
        if (!isEnded) {
            scheduleDeadline();
        }
    }

    /** Called when the signatures could not be validated. Fails the query. */
    void onValidationFailed() {
        validation = null;
        if (!isEnded) {
            fail();
        }
    }

    private void queryNextUnlessValidating() {
        if (validation == null) {
            queryNext(/* allowsRepeat= */ false);
        }
    }

    /** Called when a resolver has not answered, or has sent an unusable response. */
    void failed(UpstreamAttempt attempt) {
        openAttempts.remove(attempt);
        if (!isEnded) {
            queryNextUnlessValidating();
        }
    }

    @Override
    protected void expired(long nowNanos) {
        if (isEnded) {
            return;
        }
        long elapsed = nowNanos - startNanos;
        if (elapsed >= settings.timeoutNanos()) {
            fail();
            return;
        }
        if (!isStaleServed && elapsed >= settings.staleAfterNanos()) {
            serveStale();
        }
        if (validation == null && nowNanos - retryNanos >= 0) {
            retryNanos = nowNanos + settings.retryAfterNanos();
            queryNext(/* allowsRepeat= */ true);
        }
        if (!isEnded) {
            scheduleDeadline();
        }
    }

    private void scheduleDeadline() {
        long due = settings.timeoutNanos();
        if (validation == null) {
            due = Math.min(due, retryNanos - startNanos);
        }
        if (!isStaleServed) {
            due = Math.min(due, settings.staleAfterNanos());
        }
        forwarder.deadlines().set(this, startNanos + due);
    }

    /** Sends a stale answer to the waiting clients; a later answer from a resolver is cached. */
    private void serveStale() {
        isStaleServed = true;
        CacheEntry stale = forwarder.findStale(settings, question);
        if (stale != null) {
            forwarder.postponeRefresh(settings, question, stale);
            waiters.forEach(waiter -> waiter.onStale(stale));
            waiters.clear();
        }
    }

    /** Records a failed attempt whose failure the question may have caused. */
    void suspects(UpstreamAttempt attempt) {
        suspects.add(attempt);
    }

    /** Returns SERVFAIL as the answer to a question that no resolver can answer. */
    CacheEntry failureAnswer() {
        return CacheEntry.failure(question, Rcode.SERVFAIL, settings.limits().failureSeconds(), forwarder.now());
    }

    private void fail() {
        end();
        suspects.forEach(UpstreamAttempt::onUnanswered);
        CacheEntry result = failureAnswer;
        boolean isBogus = result != null && result.error() != null;
        CacheEntry stale = isBogus ? null : forwarder.findStale(settings, question);
        forwarder.cacheAnswer(settings, question, result != null ? result : timeoutAnswer());
        if (stale != null) {
            waiters.forEach(waiter -> waiter.onStale(stale));
        } else if (result != null) {
            waiters.forEach(waiter -> waiter.onAnswer(result, failed));
        } else {
            waiters.forEach(QueryWaiter::onFailure);
        }
    }

    private CacheEntry timeoutAnswer() {
        return CacheEntry.failure(question, Rcode.SERVFAIL, ForwardSettings.TIMEOUT_TTL_SECONDS, forwarder.now());
    }

    private void end() {
        isEnded = true;
        if (validation != null) {
            validation.end();
        }
        forwarder.onQueryEnded(this);
        forwarder.deadlines().remove(this);
        for (UpstreamAttempt each : openAttempts) {
            each.abandon(settings.retryAfterNanos());
        }
        openAttempts.clear();
    }

    /** Ends the query and fails its waiters, because the forwarder is closed. */
    void cancel() {
        if (!isEnded) {
            end();
            waiters.forEach(QueryWaiter::onFailure);
        }
    }

    ForwardSettings settings() {
        return settings;
    }

    @Override
    public long nextRandom() {
        return forwarder.random();
    }

    /**
     * Returns the hash of the question, so that strategies with affinity send equal questions to the same
     * resolver.
     */
    @Override
    public long affinity() {
        return question.hash();
    }

    @Override
    public long nowNanos() {
        return forwarder.now();
    }

    @Override
    public boolean isExcluded(Backend backend) {
        return queriedBackends.contains(backend);
    }
}
