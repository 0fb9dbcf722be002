package io.ballast.core.vote;

import io.ballast.core.config.vote.Quorum;
import io.ballast.core.config.vote.VotingConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The votes about one backend: publishes the vote of this node, counts all votes, and decides whether this node checks
 * the backend. Confined to the control plane.
 */
public final class BackendVotes {

    private final String backend;
    private final VoteExchange exchange;
    private final VoteCounters counters;
    private Quorum quorum = Quorum.LOCAL;
    private int voters = VotingConfig.ALL_NODES;
    private @Nullable Vote own;
    private Optional<VoteCount> count = Optional.empty();
    private boolean hasNewRule;
    private boolean isChecking = true;
    private boolean isOverruled;
    private boolean isReported;

    /** @param backend the name of the backend in the {@code exchange} */
    public BackendVotes(String backend, VoteExchange exchange, VoteCounters counters) {
        this.backend = backend;
        this.exchange = exchange;
        this.counters = counters;
    }

    /** Sets the rule, which may differ from the previous one. It applies from the next {@link #count} on. */
    public void configure(VotingConfig config, String pool) {
        Quorum next = config.quorumOr(exchange.defaultQuorum(pool));
        hasNewRule |= !next.equals(quorum);
        quorum = next;
        voters = quorum.isLocal() ? VotingConfig.ALL_NODES : config.voters();
    }

    /** Returns whether a change of the connected nodes can affect who checks the backend. */
    public boolean hasChosenVoters() {
        return voters != VotingConfig.ALL_NODES;
    }

    /**
     * Counts the votes again, because one of them has changed.
     *
     * @param isUp the verdict of this node; null if it has none
     */
    public void count(@Nullable Boolean isUp, String reason) {
        Vote next = isUp == null ? null : new Vote(exchange.self(), isUp, reason);
        if (next == null && own != null) {
            exchange.withdraw(backend);
        } else if (next != null && !next.equals(own)) {
            exchange.publish(backend, next);
        }
        own = next;
        Optional<VoteCount> before = hasNewRule ? Optional.empty() : count;
        hasNewRule = false;
        count = quorum.isLocal() ? Optional.empty() : VoteCount.of(quorum, all(), before);
        boolean isNowOverruled =
                next != null && count.isPresent() && count.get().isUp() != next.isUp();
        if (isNowOverruled != isOverruled) {
            isOverruled = isNowOverruled;
            counters.overruled(isOverruled);
        }
    }

    private Collection<Vote> all() {
        List<Vote> all = new ArrayList<>(exchange.votes(backend));
        if (own != null) {
            all.add(own);
        }
        return all;
    }

    /** The verdict of the votes; null if this node decides alone. */
    public @Nullable Boolean verdict() {
        return count.map(VoteCount::isUp).orElse(null);
    }

    /** The reason of the verdict: "quorum majority: votes for up: 1 of 3, needed: 2; n2: connection refused". */
    public String text() {
        String counts = "quorum " + quorum + ": " + count.map(VoteCount::text).orElse("no votes");
        if (!Boolean.FALSE.equals(verdict())) {
            return counts;
        }
        return all().stream()
                .filter(vote -> !vote.isUp())
                .min(Comparator.comparing(Vote::node))
                .map(vote -> counts + "; " + vote.node() + ": " + vote.reason())
                .orElse(counts);
    }

    /**
     * Decides whether this node checks the backend. It does not check if other nodes were chosen and one of them has
     * voted. Otherwise, no other node is known to check the backend, so this node does.
     *
     * @return whether the decision has changed
     */
    public boolean chooseVoters() {
        boolean wasChecking = isChecking;
        isChecking = mustCheck();
        if (isChecking != wasChecking) {
            counters.unchecked(!isChecking);
        }
        return isChecking != wasChecking;
    }

    private boolean mustCheck() {
        if (voters == VotingConfig.ALL_NODES) {
            return true;
        }
        Set<String> chosen = chosen();
        return chosen.contains(exchange.self())
                || exchange.votes(backend).stream().noneMatch(vote -> chosen.contains(vote.node()));
    }

    private Set<String> chosen() {
        Set<String> members = exchange.members();
        return hasChosenVoters() ? VoterChoice.of(backend, members, voters) : members;
    }

    /** Returns whether this node checks the backend, according to the last decision. */
    public boolean isChecking() {
        return isChecking;
    }

    /** Returns the text of an event if the quorum has begun or ceased to overrule this node since the last call. */
    public Optional<String> takeEvent() {
        if (isOverruled == isReported) {
            return Optional.empty();
        }
        isReported = isOverruled;
        Vote vote = own;
        return Optional.of(
                isOverruled && vote != null
                        ? "the checks of this node are overruled (" + vote.label() + ": " + vote.reason() + "), "
                                + text()
                        : "the checks of this node are no longer overruled");
    }

    /** Withdraws the vote of this node, because the backend was removed. */
    public void close() {
        exchange.withdraw(backend);
        if (isOverruled) {
            counters.overruled(/* begins= */ false);
        }
        if (!isChecking) {
            counters.unchecked(/* begins= */ false);
        }
    }

    public VoteReport report() {
        Set<String> chosen = chosen();
        Map<String, Optional<Vote>> votes = new TreeMap<>();
        chosen.forEach(node -> votes.put(node, Optional.empty()));
        votes.put(exchange.self(), Optional.ofNullable(own));
        exchange.votes(backend).forEach(vote -> votes.put(vote.node(), Optional.of(vote)));
        return new VoteReport(
                quorum,
                voters,
                count,
                votes.entrySet().stream()
                        .map(each -> new VoteReport.NodeVote(
                                each.getKey(),
                                each.getKey().equals(exchange.self()),
                                chosen.contains(each.getKey()),
                                each.getValue()))
                        .toList());
    }
}
