package io.ballast.replication.certificate;

import io.ballast.acme.challenge.ChallengeResponder;
import io.ballast.acme.challenge.ChallengeResponse;
import io.ballast.cluster.fact.Fact;
import io.ballast.cluster.fact.ProposalResult;
import io.ballast.core.ErrorText;
import io.ballast.core.control.ControlPlane;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Responses to challenges that all nodes serve, because a certificate authority (CA) may ask any of them. A response of
 * this node is committed as a fact, and {@link #publish} returns when the connected nodes serve it. The responses of
 * other nodes are served until their facts are removed, or until their end.
 *
 * <p>Bounds: {@value #MAX_CHALLENGES} responses, {@link #LIFE} for each.
 *
 * <p>Thread safety: any thread may call the methods of {@link ChallengeResponder}; all other methods are confined to
 * one thread, which may block.
 */
final class SharedChallenges implements ChallengeResponder {

    static final String PREFIX = CertificateFacts.PREFIX + "challenges/";
    static final int MAX_CHALLENGES = 100;

    /** The time after which a response ends if it is not withdrawn, for example because its node has ended. */
    static final Duration LIFE = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(SharedChallenges.class);

    private final Map<String, Served> served = new HashMap<>();
    /** The values of the responses of this node, by key. */
    private final Map<String, String> own = new ConcurrentHashMap<>();
    /** The version and the value of each fact. */
    private final Map<String, Fact> known = new ConcurrentHashMap<>();

    private final ControlPlane control;
    private final Executor thread;
    private final SealedFacts facts;
    private final ChallengeRows rows;
    private final Duration maxWait;
    private volatile @Nullable ChallengeResponder localResponder;

    private record Served(ChallengeFact fact, boolean isOwn) {}

    /**
     * @param thread the thread on which the methods are called
     * @param maxWait the longest wait for the other nodes
     */
    SharedChallenges(ControlPlane control, Executor thread, SealedFacts facts, ChallengeRows rows, Duration maxWait) {
        this.control = control;
        this.thread = thread;
        this.facts = facts;
        this.rows = rows;
        this.maxWait = maxWait;
    }

    /** Sets the responder that serves responses on this node. */
    void serveOn(ChallengeResponder local) {
        localResponder = local;
    }

    private ChallengeResponder local() {
        ChallengeResponder present = localResponder;
        if (present == null) {
            throw new IllegalStateException("serveOn was not called");
        }
        return present;
    }

    // ---- responses of this node

    @Override
    public void publish(ChallengeResponse response) throws IOException, InterruptedException {
        local().publish(response);
        if (known.size() >= MAX_CHALLENGES) {
            throw new IOException("the cluster already has " + MAX_CHALLENGES + " responses to challenges");
        }
        String key = PREFIX + response.name();
        Instant until = control.clock().instant().plus(LIFE);
        String value = facts.seal(key, new ChallengeFact(response, until).encode());
        own.put(key, value);
        Fact before = known.get(key);
        requireCommitted(key, value, before == null ? Fact.ABSENT : before.version());
        Set<String> missing = rows.awaitServed(value, maxWait);
        if (!missing.isEmpty()) {
            LOG.warn(
                    "cluster=challenge_not_served name={} nodes={} effect=\"the order fails if the CA asks one of them\"",
                    response.name(),
                    missing);
        }
    }

    private void requireCommitted(String key, String value, long base) throws IOException, InterruptedException {
        try {
            ProposalResult result = facts.propose(key, value, base).get();
            if (result != ProposalResult.COMMITTED) {
                throw new IOException("the cluster has not accepted the response to the challenge ("
                        + (result == ProposalResult.UNKNOWN
                                ? "it needs a connection to a majority of its voters"
                                : "another node orders the same certificate")
                        + ")");
            }
        } catch (ExecutionException e) {
            throw new IOException("cannot share the response to the challenge: " + ErrorText.of(e), e);
        }
    }

    @Override
    public void withdraw(ChallengeResponse response) {
        local().withdraw(response);
        String key = PREFIX + response.name();
        String value = own.remove(key);
        thread.execute(() -> {
            Fact fact = known.get(key);
            if (fact != null && fact.value().equals(value)) {
                facts.remove(key, fact.version());
            }
        });
    }

    // ---- facts

    void receive(String key, Optional<Fact> fact) {
        stop(key);
        known.remove(key);
        fact.ifPresent(present -> {
            known.put(key, present);
            serve(key, present);
        });
        List<String> values = new ArrayList<>();
        known.forEach((each, value) -> {
            if (served.containsKey(each)) {
                values.add(value.value());
            }
        });
        rows.publish(values);
    }

    private void serve(String key, Fact fact) {
        Optional<ChallengeFact> challenge = open(fact);
        boolean isOwn = fact.value().equals(own.get(key));
        if (challenge.isEmpty()
                || !challenge.get().until().isAfter(control.clock().instant())) {
            return;
        }
        served.put(key, new Served(challenge.get(), isOwn));
        if (isOwn) {
            return; // this node serves the response already
        }
        try {
            local().publish(challenge.get().response());
        } catch (IOException e) {
            LOG.warn("cluster=challenge_failed fact={} reason=\"{}\"", key, ErrorText.of(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Optional<ChallengeFact> open(Fact fact) {
        try {
            return facts.open(fact).map(ChallengeFact::decode);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void stop(String key) {
        Served former = served.remove(key);
        if (former != null && !former.isOwn()) {
            local().withdraw(former.fact().response());
        }
    }

    /** Stops serving responses that have ended. The leader removes their facts. */
    void removeEnded() {
        Instant now = control.clock().instant();
        boolean isLeader = facts.store().isLeader();
        for (Map.Entry<String, Fact> each : known.entrySet()) {
            Optional<Instant> until = open(each.getValue()).map(ChallengeFact::until);
            if (until.isPresent() && !until.get().isAfter(now)) {
                stop(each.getKey());
                if (isLeader) {
                    facts.remove(each.getKey(), each.getValue().version());
                }
            }
        }
    }
}
