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
 * <p>The pool's strategy picks the resolvers. If a resolver does not answer in time, the next one is queried in
 * parallel; after a failure, the next one is queried immediately. After all have been queried, they are queried once
 * more, because datagrams get lost. The first valid answer ends the query. Without one, a stale answer is used, or
 * the last failure of a resolver.
 *
 * <p>With validation, an answer is valid if its signatures are. No other resolver is queried during validation, and
 * the time limit continues to run.
 *
 * <p>Event-loop confined.
 */
final class PendingQuery extends DeadlineWheel.Deadline implements PickContext {

    /** Maximum number of attempts, so that a question cannot cause excessive work in a large pool. */
    private static final int MAX_TRIES = 8;

    /** Maximum number of bogus answers before the question fails. */
    private static final int MAX_BOGUS = 2;

    private final Forwarder forwarder;
    private final Question question;
    private final Upstream upstream;
    private final ForwardSettings settings;
    private final long startNanos;
    private final List<QueryWaiter> waiters = new ArrayList<>(/* initialCapacity= */ 1);
    private final List<UpstreamAttempt> open = new ArrayList<>(/* initialCapacity= */ 2);
    private final List<Backend> asked = new ArrayList<>(/* initialCapacity= */ 2);
    /** Tries that failed, perhaps because of the question. */
    private final List<UpstreamAttempt> suspects = new ArrayList<>(/* initialCapacity= */ 0);

    private long client = Upstreams.NO_CLIENT;
    private int tries;
    private @Nullable UpstreamAttempt last;
    private long retryNanos;
    /** The failure response of a resolver. */
    private @Nullable CacheEntry failure;

    private @Nullable Backend failed;

    /** The answer that is being validated. */
    private @Nullable Validation validation;

    /** The resolver of the answer under validation, and the scope of the answer. */
    private @Nullable Backend checked;

    private int checkedScope;

    private int bogus;
    private boolean staleGiven;
    private boolean over;

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

    void begin() {
        askNext(/* again= */ false);
        if (!over) {
            watch();
        }
    }

    /** Queries the next resolver; ends the query if there is none and no attempt is open. */
    private void askNext(boolean again) {
        while (!over && tries < MAX_TRIES) {
            Backend backend = reserve();
            if (backend == null && again && !asked.isEmpty()) {
                asked.clear();
                backend = reserve();
            }
            if (backend == null) {
                break;
            }
            asked.add(backend);
            tries++;
            if (tries > 1 && last != null) {
                forwarder.count(DnsCounter.FORWARD_RETRIES);
                last.movedOn();
            }
            retryNanos = forwarder.now() + settings.retryAfterNanos();
            UpstreamAttempt next = new UpstreamAttempt(this, backend, forwarder, again);
            last = next;
            open.add(next);
            next.begin();
            return;
        }
        if (open.isEmpty() && !over) {
            fail();
        }
    }

    private @Nullable Backend reserve() {
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
    void answered(UpstreamAttempt by, CacheEntry answer, byte[] message, int length) {
        open.remove(by);
        if (over) {
            return;
        }
        if (answer.isFailure()) {
            failure = answer;
            failed = by.backend();
            askNextUnlessChecking();
            return;
        }
        Validator validator = settings.validator();
        if (validator == null || !question.isValidated()) {
            give(answer, by.backend());
        } else if (validation == null) {
            checked = by.backend();
            checkedScope = answer.scope();
            validation = new Validation(forwarder, this, validator, Arrays.copyOf(message, length));
            validation.begin();
        }
    }

    private void give(CacheEntry answer, @Nullable Backend by) {
        end();
        for (UpstreamAttempt suspect : suspects) {
            if (suspect.backend() != by) {
                suspect.outdone();
            }
        }
        forwarder.keep(settings, question, answer);
        waiters.forEach(waiter -> waiter.answered(answer, by));
    }

    /** Its signatures are right, or there need not be any. */
    void validated(CacheEntry answer) {
        validation = null;
        if (!over) {
            give(answer.scoped(checkedScope), checked);
        }
    }

    /** The answer is bogus; another resolver may have a valid one. */
    void bogus(CacheEntry why) {
        validation = null;
        if (over) {
            return;
        }
        failure = why;
        failed = checked;
        bogus++;
        if (bogus >= MAX_BOGUS) {
            fail();
            return;
        }
        askNext(/* again= */ false);
        if (!over) {
            watch();
        }
    }

    /** The signatures could not be validated. */
    void unexamined() {
        validation = null;
        if (!over) {
            fail();
        }
    }

    private void askNextUnlessChecking() {
        if (validation == null) {
            askNext(/* again= */ false);
        }
    }

    /** A resolver has not answered, or nothing that can be believed. */
    void failed(UpstreamAttempt by) {
        open.remove(by);
        if (!over) {
            askNextUnlessChecking();
        }
    }

    @Override
    protected void expired(long nowNanos) {
        if (over) {
            return;
        }
        long elapsed = nowNanos - startNanos;
        if (elapsed >= settings.timeoutNanos()) {
            fail();
            return;
        }
        if (!staleGiven && elapsed >= settings.staleAfterNanos()) {
            giveStale();
        }
        if (validation == null && nowNanos - retryNanos >= 0) {
            retryNanos = nowNanos + settings.retryAfterNanos();
            askNext(/* again= */ true);
        }
        if (!over) {
            watch();
        }
    }

    private void watch() {
        long due = settings.timeoutNanos();
        if (validation == null) {
            due = Math.min(due, retryNanos - startNanos);
        }
        if (!staleGiven) {
            due = Math.min(due, settings.staleAfterNanos());
        }
        forwarder.deadlines().set(this, startNanos + due);
    }

    /** Sends a stale answer to the waiting clients; a later answer of a resolver is cached. */
    private void giveStale() {
        staleGiven = true;
        CacheEntry stale = forwarder.stale(settings, question);
        if (stale != null) {
            forwarder.postpone(settings, question, stale);
            waiters.forEach(waiter -> waiter.stale(stale));
            waiters.clear();
        }
    }

    /** A resolver has failed, perhaps because of the question. */
    void suspects(UpstreamAttempt failed) {
        suspects.add(failed);
    }

    /** SERVFAIL, for a question that no resolver can answer. */
    CacheEntry failure() {
        return CacheEntry.failure(question, Rcode.SERVFAIL, settings.limits().failureSeconds(), forwarder.now());
    }

    private void fail() {
        end();
        suspects.forEach(UpstreamAttempt::unanswered);
        CacheEntry told = failure;
        boolean isBogus = told != null && told.error() != null;
        CacheEntry stale = isBogus ? null : forwarder.stale(settings, question);
        forwarder.keep(settings, question, told != null ? told : unanswered());
        if (stale != null) {
            waiters.forEach(waiter -> waiter.stale(stale));
        } else if (told != null) {
            waiters.forEach(waiter -> waiter.answered(told, failed));
        } else {
            waiters.forEach(QueryWaiter::failed);
        }
    }

    private CacheEntry unanswered() {
        return CacheEntry.failure(question, Rcode.SERVFAIL, ForwardSettings.UNANSWERED_SECONDS, forwarder.now());
    }

    private void end() {
        over = true;
        if (validation != null) {
            validation.end();
        }
        forwarder.ended(this);
        forwarder.deadlines().remove(this);
        for (UpstreamAttempt each : open) {
            each.abandon(settings.retryAfterNanos());
        }
        open.clear();
    }

    /** Ends the query without answers, because the process ends. */
    void cancel() {
        if (!over) {
            end();
            waiters.forEach(QueryWaiter::failed);
        }
    }

    ForwardSettings settings() {
        return settings;
    }

    @Override
    public long nextRandom() {
        return forwarder.random();
    }

    /** Strategies that tie requests together tie the queries for a name. */
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
        return asked.contains(backend);
    }
}
