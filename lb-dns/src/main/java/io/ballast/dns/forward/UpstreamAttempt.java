package io.ballast.dns.forward;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.OutlierConfig;
import io.ballast.dns.forward.cache.CacheEntry;
import io.ballast.dns.forward.cache.ParsedAnswer;
import io.ballast.dns.forward.question.ClientSubnet;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.forward.upstream.Attempt;
import io.ballast.dns.forward.upstream.AttemptFailure;
import io.ballast.dns.forward.upstream.UpstreamProtocol;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.Rcode;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to query a resolver; the attempt holds a permit. Records the answer, and the failures that
 * count against the resolver. In the resolver's statistics, SERVFAIL counts as 5xx; REFUSED and similar
 * codes count as 4xx.
 *
 * <p>Failures that do not depend on the question, such as a refused connection, count immediately. All
 * other failures, including SERVFAIL and no response, may be caused by the queried name. They count only
 * if another resolver then answers the same question. One answer from the resolver resets its failure
 * count ({@link io.ballast.core.backend.FailureRun}).
 *
 * <p>Event-loop confined.
 */
final class UpstreamAttempt implements Attempt.Listener {

    /** Strategies that use response times count a failed query as a response that took at least this time. */
    private static final long FAILURE_PENALTY_NANOS = 1_000_000_000;

    private static final int NOT_REFUSED = -1;

    private static final int STATUS_ANSWER = 200;
    private static final int STATUS_REFUSED = 403;
    private static final int STATUS_FAILED = 502;

    private final PendingQuery query;
    private final Backend backend;
    private final Forwarder forwarder;
    private final boolean isRepeated;
    private final int probations;
    private final long sentNanos;
    private @Nullable Attempt attempt;
    /** The response code if the server refused the client subnet; otherwise {@link #NOT_REFUSED}. */
    private int subnetRefusal = NOT_REFUSED;

    /** The question in the form in which it was last sent to this resolver. */
    private Question sent;

    /** The error text of the failure; empty unless the question may have caused the failure. */
    private String failureReason = "";

    private long failureNanos;
    private boolean isEnded;

    /** @param isRepeated whether all resolvers have already been queried for this question */
    UpstreamAttempt(PendingQuery query, Backend backend, Forwarder forwarder, boolean isRepeated) {
        this.query = query;
        this.backend = backend;
        this.forwarder = forwarder;
        this.isRepeated = isRepeated;
        this.probations = backend.requestErrors().probations();
        this.sentNanos = forwarder.now();
        this.sent = query.question();
    }

    void start() {
        count(BackendCounter.REQUESTS);
        send(query.question());
    }

    private void send(Question question) {
        sent = question;
        attempt = forwarder
                .upstreams()
                .query(
                        backend,
                        question,
                        UpstreamProtocol.valueOf(query.upstream().protocol().name()),
                        query.upstream().path(),
                        query.client(),
                        isRepeated,
                        this);
    }

    @Override
    public void onAnswer(Attempt finished, byte[] message, int length) {
        forwarder.readClock();
        ParsedAnswer parsed = forwarder.parse(query.settings(), query.question(), message, length);
        if (parsed instanceof ParsedAnswer.Taken taken) {
            accept(finished, taken, message, length);
        } else if (parsed == ParsedAnswer.Refused.ALIAS_LOOP) {
            // Every resolver returns the same response, because the zone contains an alias loop.
            recordResponse(STATUS_ANSWER);
            release();
            query.onAnswer(this, query.failureAnswer(), message, length);
        } else if (parsed == ParsedAnswer.Refused.LAME) {
            count(BackendCounter.ofStatus(STATUS_FAILED));
            failAsSuspect("the resolver returned a referral instead of an answer");
        } else {
            forwarder.count(DnsCounter.FORWARD_MALFORMED);
            count(BackendCounter.FAILED_BAD_RESPONSE);
            failAsSuspect("the resolver returned a malformed answer");
        }
    }

    private void accept(Attempt finished, ParsedAnswer.Taken taken, byte[] message, int length) {
        if (refusesSubnet(taken.rcode())) {
            subnetRefusal = taken.rcode();
            forwarder.count(DnsCounter.SUBNETS_REFUSED);
            send(sent.withSubnet(ClientSubnet.NONE));
            return;
        }
        if (sent.options() != null && refusesOptions(taken.rcode())) {
            send(sent.withoutOptions());
            return;
        }
        CacheEntry answer = taken.answer().withScope(answerScope(finished));
        if (answer.rcode() == Rcode.SERVFAIL) {
            count(BackendCounter.ofStatus(STATUS_FAILED));
            recordLatency();
            markSuspect("SERVFAIL");
        } else {
            recordResponse(answer.isFailure() ? STATUS_REFUSED : STATUS_ANSWER);
        }
        release();
        query.onAnswer(this, answer, message, length);
    }

    /** Records a response of any kind. */
    private void recordResponse(int status) {
        long now = forwarder.now();
        recordLatency();
        count(BackendCounter.ofStatus(status));
        backend.responseTime().record(now - sentNanos, now);
        backend.requestErrors().recordSuccess(probations);
        backend.failureRun().recordResponse();
    }

    private void recordLatency() {
        backend.stats()
                .ofSecondFrontend(forwarder.loopCount())
                .latency(forwarder.index())
                .record(forwarder.now() - sentNanos);
    }

    /** Returns whether an option of the client may have caused the failure. */
    private static boolean refusesOptions(int rcode) {
        return rcode == Rcode.FORMERR || rcode == Rcode.NOTIMP;
    }

    /**
     * Returns whether the client subnet may have caused the failure. The query is then repeated without the
     * client subnet (RFC 7871 section 7.3).
     */
    private boolean refusesSubnet(int rcode) {
        ClientSubnet subnet = query.question().subnet();
        return subnet != null
                && subnet.family() != 0
                && subnetRefusal == NOT_REFUSED
                && (rcode == Rcode.FORMERR || rcode == Rcode.REFUSED);
    }

    /**
     * Returns the scope of an answer. It is 0 if the resolver rejected the client subnet option with FORMERR,
     * because such a resolver gives all clients the same answer.
     */
    private int answerScope(Attempt finished) {
        return subnetRefusal == Rcode.FORMERR ? 0 : finished.scope();
    }

    @Override
    public void onFailure(Attempt finished, AttemptFailure failure) {
        forwarder.readClock();
        switch (failure) {
            case TIMEOUT -> count(BackendCounter.FAILED_RESPONSE_TIMEOUT);
            case REFUSED_CONNECTION -> count(BackendCounter.FAILED_CONNECT_REFUSED);
            case MALFORMED, HTTP -> count(BackendCounter.FAILED_BAD_RESPONSE);
            case RESET -> count(BackendCounter.FAILED_RESET);
            default -> count(BackendCounter.FAILED_CONNECT);
        }
        String reason = failure.label().replace('_', ' ');
        if (failure.mayBeCausedByQuestion()) {
            failAsSuspect(reason);
            return;
        }
        if (failure.isCausedByServer()) {
            recordServerFailure(reason);
        }
        release();
        query.failed(this);
    }

    /** Records a failure that the question may have caused. */
    private void failAsSuspect(String reason) {
        markSuspect(reason);
        release();
        query.failed(this);
    }

    private void markSuspect(String reason) {
        failureReason = reason;
        failureNanos = forwarder.now();
        query.suspects(this);
    }

    /**
     * Abandons the attempt. If it has lasted at least {@code lateNanos}, it counts as a response timeout of its
     * upstream.
     */
    void abandon(long lateNanos) {
        if (isEnded) {
            return;
        }
        if (attempt != null) {
            attempt.cancel();
        }
        if (forwarder.now() - sentNanos >= lateNanos) {
            count(BackendCounter.FAILED_RESPONSE_TIMEOUT);
            markSuspect("no answer in time");
        }
        release();
    }

    /** The resolver that is queried. */
    Backend backend() {
        return backend;
    }

    /** Counts a retry. Called when another resolver is queried because this resolver failed or does not answer. */
    void countRetry() {
        count(BackendCounter.RETRIES);
    }

    private void release() {
        isEnded = true;
        backend.inFlight().end();
    }

    /** Records a failure that is caused by the server and not by the question. */
    private void recordServerFailure(String reason) {
        long now = forwarder.now();
        if (penalize(now)) {
            String summary =
                    backend.requestErrors().recordFailure(probations, outlier().consecutiveErrors(), now);
            if (summary != null) {
                forwarder.failureListener().onRepeatedFailures(backend, summary + ": " + reason);
            }
        }
    }

    /**
     * Called when another resolver has answered the question, so that the failure counts against this resolver.
     */
    void onAnsweredByOther() {
        if (penalize(failureNanos)) {
            String summary = backend.failureRun().recordFailure(outlier().consecutiveErrors(), forwarder.now());
            if (summary != null) {
                forwarder
                        .failureListener()
                        .onRepeatedFailures(backend, summary + " that other resolvers answered: " + failureReason);
            }
        }
    }

    /** Called when no resolver has answered the question. */
    void onUnanswered() {
        forwarder.failureListener().onQueryUnanswered(backend);
    }

    /**
     * Records the failure as a slow response, so that strategies prefer other resolvers. Returns whether failures
     * may eject the resolver.
     */
    private boolean penalize(long failedNanos) {
        backend.responseTime().recordFailure(failedNanos - sentNanos, FAILURE_PENALTY_NANOS, forwarder.now());
        if (outlier().isOff()) {
            return false;
        }
        forwarder.failureListener().onQueryFailed(backend);
        return true;
    }

    private OutlierConfig outlier() {
        return query.upstream().pool().config().outlier();
    }

    private void count(BackendCounter counter) {
        backend.stats()
                .ofSecondFrontend(forwarder.loopCount())
                .counters(forwarder.index())
                .increment(counter);
    }
}
