package io.ballast.replication;

import io.ballast.cluster.observation.Observation;
import io.ballast.cluster.observation.ObservationBoard;
import io.ballast.cluster.observation.ObservationListener;
import io.ballast.core.config.vote.Quorum;
import io.ballast.core.vote.Vote;
import io.ballast.core.vote.VoteExchange;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Exchanges the votes of the nodes about the health of backends, as observations. Thread-safe. */
final class ClusterVotes implements VoteExchange, ObservationListener {

    private final Map<String, Map<String, Vote>> votes = new ConcurrentHashMap<>();
    private final String self;
    private final Function<String, Quorum> defaultQuorum;
    private final ObservationBoard board;
    private volatile Set<String> members;
    private volatile @Nullable Listener listener;

    /**
     * @param self the name of this node
     * @param defaultQuorum returns the quorum of a pool whose configuration has none
     */
    ClusterVotes(String self, Function<String, Quorum> defaultQuorum) {
        this(self, defaultQuorum, ObservationBoard::new);
    }

    /** @param board creates a board that notifies the given listener */
    ClusterVotes(
            String self,
            Function<String, Quorum> defaultQuorum,
            Function<ObservationListener, ObservationBoard> board) {
        this.self = self;
        this.board = board.apply(this);
        this.defaultQuorum = defaultQuorum;
        this.members = Set.of(self);
    }

    /** The board, which the mesh must notify. */
    ObservationBoard board() {
        return board;
    }

    @Override
    public String self() {
        return self;
    }

    @Override
    public Set<String> members() {
        return members;
    }

    @Override
    public Collection<Vote> votes(String backend) {
        Map<String, Vote> all = votes.get(backend);
        return all == null ? List.of() : List.copyOf(all.values());
    }

    /** The number of votes of other nodes. Cost: reads all votes. */
    int size() {
        return votes.values().stream().mapToInt(Map::size).sum();
    }

    @Override
    public void publish(String backend, Vote vote) {
        VoteRow.topic(backend).ifPresent(topic -> board.put(topic, VoteRow.encode(vote)));
    }

    @Override
    public void withdraw(String backend) {
        VoteRow.topic(backend).ifPresent(board::withdraw);
    }

    @Override
    public Quorum defaultQuorum(String pool) {
        return defaultQuorum.apply(pool);
    }

    @Override
    public void listen(Listener all) {
        listener = all;
    }

    // ---- called by the board's thread

    @Override
    public void changed(List<Observation> present, List<Observation> gone) {
        Set<String> changed = new HashSet<>();
        for (Observation row : gone) {
            if (VoteRow.isVote(row)) {
                remove(VoteRow.backend(row), row.node());
                changed.add(VoteRow.backend(row));
            }
        }
        for (Observation row : present) {
            if (VoteRow.isVote(row)) {
                String backend = VoteRow.backend(row);
                VoteRow.decode(row)
                        .ifPresentOrElse(
                                vote -> votes.computeIfAbsent(backend, added -> new ConcurrentHashMap<>())
                                        .put(row.node(), vote),
                                () -> remove(backend, row.node()));
                changed.add(backend);
            }
        }
        Listener known = listener;
        if (known != null && !changed.isEmpty()) {
            known.votesChanged(changed);
        }
    }

    private void remove(String backend, String node) {
        votes.computeIfPresent(backend, (name, all) -> {
            all.remove(node);
            return all.isEmpty() ? null : all;
        });
    }

    @Override
    public void connected(Set<String> nodes) {
        Set<String> all = new HashSet<>(nodes);
        all.add(self);
        members = Set.copyOf(all);
        Listener known = listener;
        if (known != null) {
            known.membersChanged();
        }
    }

    /** Forgets the other nodes, so that this node decides alone. */
    void close() {
        board.close();
        Set<String> backends = Set.copyOf(votes.keySet());
        votes.clear();
        members = Set.of(self);
        Listener known = listener;
        if (known != null) {
            known.votesChanged(backends);
            known.membersChanged();
        }
    }
}
