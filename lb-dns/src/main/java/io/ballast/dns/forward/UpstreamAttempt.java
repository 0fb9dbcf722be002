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
 * A query to one resolver, with a permit: its answer, and the failures that count against the resolver. In its
 * statistics, SERVFAIL counts as 5xx; REFUSED and similar codes as 4xx.
 *
 * <p>Failures that no question can cause, such as a refused connection, count immediately. All others, including
 * SERVFAIL and silence, may be caused by the queried name, so they count only if another resolver then answers the
 * same question, and a single answer of the resolver resets them ({@link io.ballast.core.backend.FailureRun}).
 *
 * <p>Event-loop confined.
 */
final class UpstreamAttempt implements Attempt.Listener {

    /** The minimum response time that a failure counts as, for strategies that use response times. */
    private static final long FAILURE_PENALTY_NANOS = 1_000_000_000;

    private static final int TOLD = -1;

    private static final int STATUS_ANSWER = 200;
    private static final int STATUS_REFUSED = 403;
    private static final int STATUS_FAILED = 502;

    private final PendingQuery flight;
    private final Backend backend;
    private final Forwarder forwarder;
    private final boolean isRepeated;
    private final int probations;
    private final long sentNanos;
    private @Nullable Attempt attempt;
    /** The code with which the server refused the client subnet; {@link #TOLD} if it did not. */
    private int refusal = TOLD;

    /** How it failed, if the question may be the reason. */
    private String suspicion = "";

    private long failureNanos;
    private boolean over;

    /** @param isRepeated whether all resolvers have been queried before */
    UpstreamAttempt(PendingQuery flight, Backend backend, Forwarder forwarder, boolean isRepeated) {
        this.flight = flight;
        this.backend = backend;
        this.forwarder = forwarder;
        this.isRepeated = isRepeated;
        this.probations = backend.requestErrors().probations();
        this.sentNanos = forwarder.now();
    }

    void begin() {
        count(BackendCounter.REQUESTS);
        ask(flight.question());
    }

    private void ask(Question question) {
        attempt = forwarder
                .upstreams()
                .ask(
                        backend,
                        question,
                        UpstreamProtocol.valueOf(flight.upstream().protocol().name()),
                        flight.upstream().path(),
                        flight.client(),
                        isRepeated,
                        this);
    }

    @Override
    public void answered(Attempt by, byte[] message, int length) {
        forwarder.readClock();
        ParsedAnswer read = forwarder.read(flight.settings(), flight.question(), message, length);
        if (read instanceof ParsedAnswer.Taken taken) {
            taken(by, taken, message, length);
        } else if (read == ParsedAnswer.Refused.ENDLESS) {
            // Every resolver returns this: the zone contains an alias loop.
            responded(STATUS_ANSWER);
            release();
            flight.answered(this, flight.failure(), message, length);
        } else if (read == ParsedAnswer.Refused.LAME) {
            count(BackendCounter.ofStatus(STATUS_FAILED));
            suspect("a referral instead of an answer");
        } else {
            forwarder.count(DnsCounter.FORWARD_MALFORMED);
            count(BackendCounter.FAILED_BAD_RESPONSE);
            suspect("a malformed answer");
        }
    }

    private void taken(Attempt by, ParsedAnswer.Taken taken, byte[] message, int length) {
        if (refusesSubnet(taken.rcode())) {
            refusal = taken.rcode();
            forwarder.count(DnsCounter.SUBNETS_REFUSED);
            ask(flight.question().with(ClientSubnet.NONE));
            return;
        }
        CacheEntry answer = taken.answer().scoped(scope(by));
        if (answer.rcode() == Rcode.SERVFAIL) {
            count(BackendCounter.ofStatus(STATUS_FAILED));
            recordLatency();
            hold("SERVFAIL");
        } else {
            responded(answer.isFailure() ? STATUS_REFUSED : STATUS_ANSWER);
        }
        release();
        flight.answered(this, answer, message, length);
    }

    /** Records a response of any kind. */
    private void responded(int status) {
        long now = forwarder.now();
        recordLatency();
        count(BackendCounter.ofStatus(status));
        backend.responseTime().record(now - sentNanos, now);
        backend.requestErrors().answered(probations);
        backend.failureRun().answered();
    }

    private void recordLatency() {
        backend.stats().beside(forwarder.loops()).latency(forwarder.index()).record(forwarder.now() - sentNanos);
    }

    /**
     * Whether the failure may have been caused by the client subnet. The query is then repeated without it (RFC 7871
     * section 7.3).
     */
    private boolean refusesSubnet(int rcode) {
        ClientSubnet told = flight.question().subnet();
        return told != null
                && told.family() != 0
                && refusal == TOLD
                && (rcode == Rcode.FORMERR || rcode == Rcode.REFUSED);
    }

    /** Returns the scope of an answer. A resolver that rejects the option with FORMERR answers all clients alike. */
    private int scope(Attempt by) {
        return refusal == Rcode.FORMERR ? 0 : by.scope();
    }

    @Override
    public void failed(Attempt by, AttemptFailure why) {
        forwarder.readClock();
        switch (why) {
            case TIMEOUT -> count(BackendCounter.FAILED_RESPONSE_TIMEOUT);
            case REFUSED_CONNECTION -> count(BackendCounter.FAILED_CONNECT_REFUSED);
            case MALFORMED, HTTP -> count(BackendCounter.FAILED_BAD_RESPONSE);
            case RESET -> count(BackendCounter.FAILED_RESET);
            default -> count(BackendCounter.FAILED_CONNECT);
        }
        String reason = why.label().replace('_', ' ');
        if (why.mayBeOfQuestion()) {
            suspect(reason);
            return;
        }
        if (why.isOfServer()) {
            blame(reason);
        }
        release();
        flight.failed(this);
    }

    /** Records a failure that the question may have caused. */
    private void suspect(String reason) {
        hold(reason);
        release();
        flight.failed(this);
    }

    private void hold(String reason) {
        suspicion = reason;
        failureNanos = forwarder.now();
        flight.suspects(this);
    }

    /** Abandons the attempt. If it has lasted longer than {@code lateNanos}, it counts as late for its upstream. */
    void abandon(long lateNanos) {
        if (over) {
            return;
        }
        if (attempt != null) {
            attempt.cancel();
        }
        if (forwarder.now() - sentNanos >= lateNanos) {
            count(BackendCounter.FAILED_RESPONSE_TIMEOUT);
            hold("no answer in time");
        }
        release();
    }

    /** The resolver that is queried. */
    Backend backend() {
        return backend;
    }

    /** Another resolver is queried because this one failed or does not answer. */
    void movedOn() {
        count(BackendCounter.RETRIES);
    }

    private void release() {
        over = true;
        backend.inFlight().end();
    }

    /** It failed in a way that no question causes. */
    private void blame(String reason) {
        long now = forwarder.now();
        if (penalize(now)) {
            String enough = backend.requestErrors().failed(probations, outlier().consecutiveErrors(), now);
            if (enough != null) {
                forwarder.failure().queriesFailed(backend, enough + ": " + reason);
            }
        }
    }

    /** Another resolver has answered the question on which this one failed. */
    void outdone() {
        if (penalize(failureNanos)) {
            String enough = backend.failureRun().failed(outlier().consecutiveErrors(), forwarder.now());
            if (enough != null) {
                forwarder.failure().queriesFailed(backend, enough + " that others answered: " + suspicion);
            }
        }
    }

    /** No resolver has answered the question. */
    void unanswered() {
        forwarder.failure().queryUnanswered(backend);
    }

    /** Adds load for the failure, so that strategies prefer others; returns whether failures may eject the resolver. */
    private boolean penalize(long failed) {
        backend.responseTime().recordFailure(failed - sentNanos, FAILURE_PENALTY_NANOS, forwarder.now());
        if (outlier().isOff()) {
            return false;
        }
        forwarder.failure().queryFailed(backend);
        return true;
    }

    private OutlierConfig outlier() {
        return flight.upstream().pool().config().outlier();
    }

    private void count(BackendCounter counter) {
        backend.stats().beside(forwarder.loops()).counters(forwarder.index()).increment(counter);
    }
}
