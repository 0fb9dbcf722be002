package io.ballast.dns.forward;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.OutlierConfig;
import io.ballast.core.pool.Pool;
import io.ballast.dns.forward.cache.KeptAnswer;
import io.ballast.dns.forward.question.ClientSubnet;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.forward.upstream.Attempt;
import io.ballast.dns.forward.upstream.AttemptFailure;
import io.ballast.dns.forward.upstream.UpstreamProtocol;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.Rcode;
import org.jspecify.annotations.Nullable;

/**
 * One resolver that is asked, on which a place is taken: what it answers, and what is held against it. SERVFAIL counts as an
 * error of a server does elsewhere: as an answer of the class 5xx, which may get a backend ejected; REFUSED and the like as 4xx.
 *
 * <p>Event-loop confined.
 */
final class Try implements Attempt.Listener {

    /** What a failure counts as at least, for strategies that go by response times. */
    private static final long FAILURE_PENALTY_NANOS = 1_000_000_000;

    private static final int TOLD = -1;

    private static final int STATUS_ANSWER = 200;
    private static final int STATUS_REFUSED = 403;
    private static final int STATUS_FAILED = 502;

    private final Flight flight;
    private final Backend backend;
    private final Forwarder forwarder;
    private final boolean isRepeated;
    private final int probations;
    private final long sentNanos;
    private @Nullable Attempt attempt;
    /** The code by which it refused to be told the client's network; {@link #TOLD} if it did not. */
    private int refusal = TOLD;

    private boolean over;

    /** @param isRepeated whether every resolver has been asked before */
    Try(Flight flight, Backend backend, Forwarder forwarder, boolean isRepeated) {
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
        long now = forwarder.readClock();
        KeptAnswer answer = forwarder.read(flight.settings(), flight.question(), message, length, scope(by));
        if (answer != null && refusesSubnet(answer.rcode())) {
            refusal = answer.rcode();
            forwarder.count(DnsCounter.SUBNETS_REFUSED);
            ask(flight.question().with(ClientSubnet.NONE));
            return;
        }
        if (answer == null) {
            forwarder.count(DnsCounter.FORWARD_MALFORMED);
            count(BackendCounter.FAILED_BAD_RESPONSE);
            blame(now, "an answer that is none");
            release();
            flight.failed(this);
            return;
        }
        backend.stats().beside(forwarder.loops()).latency(forwarder.index()).record(now - sentNanos);
        if (answer.rcode() == Rcode.SERVFAIL) {
            count(BackendCounter.ofStatus(STATUS_FAILED));
            blame(now, "SERVFAIL");
        } else {
            count(BackendCounter.ofStatus(answer.isFailure() ? STATUS_REFUSED : STATUS_ANSWER));
            backend.responseTime().record(now - sentNanos, now);
            backend.requestErrors().answered(probations);
        }
        release();
        flight.answered(this, answer, message, length);
    }

    /** Whether it may have said so only because it was told a network. It is asked once more without, then (RFC 7871 section 7.3). */
    private boolean refusesSubnet(int rcode) {
        ClientSubnet told = flight.question().subnet();
        return told != null
                && told.family() != 0
                && refusal == TOLD
                && (rcode == Rcode.FORMERR || rcode == Rcode.REFUSED);
    }

    /** Who does not know of networks answers everybody alike; who refuses some does not. */
    private int scope(Attempt by) {
        return refusal == Rcode.FORMERR ? 0 : by.scope();
    }

    @Override
    public void failed(Attempt by, AttemptFailure why) {
        long now = forwarder.readClock();
        switch (why) {
            case TIMEOUT -> count(BackendCounter.FAILED_RESPONSE_TIMEOUT);
            case REFUSED_CONNECTION -> count(BackendCounter.FAILED_CONNECT_REFUSED);
            case MALFORMED, HTTP -> count(BackendCounter.FAILED_BAD_RESPONSE);
            case RESET -> count(BackendCounter.FAILED_RESET);
            default -> count(BackendCounter.FAILED_CONNECT);
        }
        if (why.isOfServer()) {
            blame(now, why.label().replace('_', ' '));
        }
        release();
        flight.failed(this);
    }

    /** Its answer is not needed any more. One that has kept others waiting is late, whatever it would have said. */
    void abandon(long lateNanos) {
        if (over) {
            return;
        }
        if (attempt != null) {
            attempt.cancel();
        }
        long now = forwarder.now();
        if (now - sentNanos >= lateNanos) {
            count(BackendCounter.FAILED_RESPONSE_TIMEOUT);
            blame(now, "no answer in time");
        }
        release();
    }

    /** Who is asked. */
    Backend backend() {
        return backend;
    }

    /** Another resolver is asked because this one failed, or does not answer. */
    void movedOn() {
        count(BackendCounter.RETRIES);
    }

    private void release() {
        over = true;
        backend.inFlight().end();
    }

    private void blame(long now, String reason) {
        backend.responseTime().recordFailure(now - sentNanos, FAILURE_PENALTY_NANOS, now);
        Pool pool = flight.upstream().pool();
        OutlierConfig outlier = pool.config().outlier();
        if (outlier.isOff()) {
            return;
        }
        forwarder.trouble().queryFailed(backend);
        String enough = backend.requestErrors().failed(probations, outlier.consecutiveErrors(), now);
        if (enough != null) {
            forwarder.trouble().queriesFailed(backend, enough + ": " + reason);
        }
    }

    private void count(BackendCounter counter) {
        backend.stats().beside(forwarder.loops()).counters(forwarder.index()).increment(counter);
    }
}
