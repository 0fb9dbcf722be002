package io.ballast.replication.configuration;

import io.ballast.cluster.fact.Fact;
import io.ballast.config.shared.ConfigurationBundle;
import io.ballast.config.shared.SharedVersion;
import io.ballast.core.DurationText;
import io.ballast.core.control.RejectedChangeException;
import io.ballast.core.control.UnavailableException;
import io.ballast.dashboard.source.SharedConfiguration.Verdict;
import io.ballast.replication.configuration.ActiveFact.Claim;
import io.ballast.replication.configuration.ActiveFact.Step;
import io.ballast.replication.configuration.ConfigurationFacts.Known;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proposes versions: claims the active fact, stores the content, asks the nodes, and decides. Used by one thread at a
 * time, which blocks.
 */
final class Rollout {

    private static final Logger LOG = LoggerFactory.getLogger(Rollout.class);

    /** The time for which an expired proposal still blocks other proposals, because the clocks of nodes may differ. */
    private static final Duration ABANDONED_AFTER = Duration.ofSeconds(30);

    /** The time for storing the content. */
    private static final Duration MAX_PREPARATION = Duration.ofMinutes(1);

    private static final int POLL_MILLIS = 250;

    private final String self;
    private final ConfigurationFacts facts;
    private final ConfigurationRows rows;
    private final InstantSource clock;

    Rollout(String self, ConfigurationFacts facts, ConfigurationRows rows, InstantSource clock) {
        this.self = self;
        this.facts = facts;
        this.rows = rows;
        this.clock = clock;
    }

    /** The decision about a version. */
    record Decision(VersionFact version, List<Verdict> verdicts) {}

    /**
     * Proposes a version, and waits for the decision.
     *
     * @param first the smallest permitted number
     * @throws UnavailableException without a majority
     * @throws RejectedChangeException if another version is being applied
     */
    Decision propose(Proposal proposal, long first) throws InterruptedException {
        if (!facts.hasLeader()) {
            throw new UnavailableException("no majority of the voters is connected, so no version can be applied"
                    + " (expected: has_majority in lb cluster status); nothing has changed");
        }
        Claim claim = claim(proposal, first);
        boolean isDecided = false;
        try {
            VersionFact version = prepare(claim, proposal);
            step(claim, Step.CHECKING);
            Decision decision = decide(claim, version, proposal.answerTime());
            isDecided = true;
            return decision;
        } finally {
            if (!isDecided) {
                release(claim);
            }
        }
    }

    // ---- the steps

    private Claim claim(Proposal proposal, long first) throws InterruptedException {
        Known known = facts.active();
        Optional<Claim> other = known.fact().claim();
        if (other.isPresent() && !isAbandoned(other.get())) {
            throw new RejectedChangeException("version " + other.get().number() + " of "
                    + other.get().author() + " is being applied by "
                    + other.get().node()
                    + "; try again when lb cluster history shows its result");
        }
        long number = Stream.concat(
                        facts.versions().stream()
                                .map(version -> version.version().number() + 1),
                        Stream.of(
                                first,
                                known.fact().active() + 1,
                                other.map(Claim::number).orElse(0L) + 1))
                .max(Long::compare)
                .orElseThrow();
        Instant until = clock.instant().plus(MAX_PREPARATION).plus(proposal.answerTime());
        Claim claim = new Claim(number, Step.PREPARING, self, UUID.randomUUID().toString(), proposal.author(), until);
        ActiveFact next = new ActiveFact(known.fact().active(), Optional.of(claim));
        if (!facts.commit(ActiveFact.KEY, Optional.of(next.encode()), known.base())) {
            throw new RejectedChangeException(
                    "another version was applied at the same moment; try again if this one is still right");
        }
        return claim;
    }

    /**
     * Whether a proposal no longer blocks others. This process has one proposal at a time, so an older proposal of this
     * process has ended.
     */
    private boolean isAbandoned(Claim claim) {
        return claim.node().equals(self)
                || !rows.others().contains(claim.node())
                || clock.instant().isAfter(claim.until().plus(ABANDONED_AFTER));
    }

    private VersionFact prepare(Claim claim, Proposal proposal) throws InterruptedException {
        long active = facts.active().fact().active();
        recordAccepted(active);
        byte[] compressed = proposal.content().compressed();
        String data = ConfigurationBundle.sha256(compressed);
        List<String> parts = DataFacts.split(compressed);
        long bytes = parts.stream().mapToLong(String::length).sum();
        for (Fact old : Retention.removable(facts.all(), active, /* newVersions= */ 1, bytes, data)) {
            facts.commit(old.key(), Optional.empty(), old.version());
        }
        facts.commitParts(data, parts);
        ConfigurationBundle bundle = proposal.content().bundle();
        VersionFact version = new VersionFact(
                new SharedVersion(claim.number(), bundle.sha256()),
                data,
                parts.size(),
                bundle.files().size(),
                bundle.bytes(),
                proposal.author(),
                self,
                clock.instant(),
                proposal.note(),
                proposal.rollbackOf(),
                VersionFact.Outcome.OPEN,
                /* reason= */ "");
        if (!facts.commit(VersionFact.key(claim.number()), Optional.of(version.encode()), Fact.ABSENT)) {
            throw new RejectedChangeException("another node has given up this proposal; try again");
        }
        return version;
    }

    private void step(Claim claim, Step next) throws InterruptedException {
        Known known = require(claim);
        ActiveFact fact = new ActiveFact(known.fact().active(), Optional.of(claim.with(next)));
        if (!facts.commit(ActiveFact.KEY, Optional.of(fact.encode()), known.base())) {
            throw lost();
        }
    }

    private Known require(Claim claim) {
        Known known = facts.active();
        if (!known.fact().isClaimedBy(claim.token())) {
            throw lost();
        }
        return known;
    }

    private static RejectedChangeException lost() {
        return new RejectedChangeException(
                "another node has given up this proposal, because this node was not connected"
                        + " or too slow; try again");
    }

    private Decision decide(Claim claim, VersionFact version, Duration wait) throws InterruptedException {
        long end = System.nanoTime() + wait.toNanos();
        List<String> missing = missing(claim);
        while (!missing.isEmpty() && System.nanoTime() - end < 0) {
            rows.awaitChange(POLL_MILLIS);
            missing = missing(claim);
        }
        List<Verdict> verdicts = new ArrayList<>();
        for (String node : nodes()) {
            verdicts.add(rows.verdict(node, claim.token())
                    .orElseGet(() -> new Verdict(
                            node,
                            /* isAccepted= */ false,
                            /* isLocal= */ false,
                            List.of("no answer within " + DurationText.of(wait)
                                    + " (expected: a node of this release that is not overloaded)"))));
        }
        String refusal = verdicts.stream()
                .filter(verdict -> !verdict.isAccepted())
                .map(verdict -> verdict.node() + ": " + String.join("; ", verdict.errors()))
                .collect(Collectors.joining("; "));
        return new Decision(refusal.isEmpty() ? activate(claim, version) : reject(claim, version, refusal), verdicts);
    }

    private List<String> missing(Claim claim) {
        return nodes().stream()
                .filter(node -> rows.verdict(node, claim.token()).isEmpty())
                .toList();
    }

    /** This node and the connected nodes, by name. */
    private List<String> nodes() {
        return Stream.concat(Stream.of(self), rows.others().stream()).sorted().toList();
    }

    private VersionFact activate(Claim claim, VersionFact version) throws InterruptedException {
        ActiveFact next = new ActiveFact(claim.number(), Optional.empty());
        if (!facts.commit(
                ActiveFact.KEY, Optional.of(next.encode()), require(claim).base())) {
            throw lost();
        }
        recordAccepted(claim.number());
        return version.with(VersionFact.Outcome.ACCEPTED, "");
    }

    /** Records that the active version was accepted, so that it counts as superseded later. */
    private void recordAccepted(long active) throws InterruptedException {
        Optional<VersionFact> version =
                facts.version(active).filter(each -> each.outcome() != VersionFact.Outcome.ACCEPTED);
        if (version.isPresent()) {
            record(version.get().with(VersionFact.Outcome.ACCEPTED, ""));
        }
    }

    private VersionFact reject(Claim claim, VersionFact version, String reason) throws InterruptedException {
        VersionFact rejected = version.with(VersionFact.Outcome.REJECTED, reason);
        record(rejected);
        release(claim);
        return rejected;
    }

    private void record(VersionFact version) throws InterruptedException {
        String key = VersionFact.key(version.version().number());
        Optional<Fact> before =
                facts.all().stream().filter(fact -> fact.key().equals(key)).findFirst();
        if (before.isPresent()) {
            facts.commit(key, Optional.of(version.encode()), before.get().version());
        }
    }

    /** Ends a proposal. The active version stays the same. */
    private void release(Claim claim) throws InterruptedException {
        Known known = facts.active();
        if (known.fact().isClaimedBy(claim.token())) {
            try {
                ActiveFact next = new ActiveFact(known.fact().active(), Optional.empty());
                boolean unused = facts.commit(ActiveFact.KEY, Optional.of(next.encode()), known.base());
            } catch (UnavailableException e) {
                LOG.warn("cluster=proposal_not_released version={} reason=\"no majority\"", claim.number());
            }
        }
    }
}
