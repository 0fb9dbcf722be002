package io.ballast.core.testing;

import io.ballast.core.config.vote.Quorum;
import io.ballast.core.vote.Vote;
import io.ballast.core.vote.VoteExchange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The exchange of votes of node {@code n1}. The test sets the votes of other nodes. Confined to one thread. */
public final class ManualVotes implements VoteExchange {

    /** The votes that this node has published, {@code up} or {@code down}, by the name of the backend. */
    public final Map<String, String> published = new TreeMap<>();

    /** How often this node has published or withdrawn a vote. */
    public int changes;

    /** The default quorum of all pools. */
    public Quorum byUse = Quorum.LOCAL;

    private final Set<String> members = new TreeSet<>(Set.of("n1"));
    private final Map<String, Map<String, Vote>> votes = new HashMap<>();
    private @Nullable Listener listener;

    @Override
    public String self() {
        return "n1";
    }

    @Override
    public Set<String> members() {
        return Set.copyOf(members);
    }

    @Override
    public Collection<Vote> votes(String backend) {
        return List.copyOf(votes.getOrDefault(backend, Map.of()).values());
    }

    @Override
    public void publish(String backend, Vote vote) {
        published.put(backend, vote.label());
        changes++;
    }

    @Override
    public void withdraw(String backend) {
        published.remove(backend);
        changes++;
    }

    @Override
    public Quorum defaultQuorum(String pool) {
        return byUse;
    }

    @Override
    public void listen(Listener all) {
        listener = all;
    }

    /** Connects another node. */
    public void connect(String node) {
        members.add(node);
        tell(Listener::membersChanged);
    }

    /** Disconnects another node, whose votes no longer count. */
    public void disconnect(String node) {
        List<String> lost = new ArrayList<>();
        votes.forEach((backend, all) -> {
            if (all.remove(node) != null) {
                lost.add(backend);
            }
        });
        members.remove(node);
        tell(all -> all.votesChanged(lost));
        tell(Listener::membersChanged);
    }

    /** Sets the vote of another node. */
    public void vote(String backend, String node, boolean isUp) {
        votes.computeIfAbsent(backend, added -> new TreeMap<>())
                .put(node, new Vote(node, isUp, isUp ? "connected" : "connection refused"));
        tell(all -> all.votesChanged(List.of(backend)));
    }

    private void tell(Consumer<Listener> event) {
        Listener known = listener;
        if (known != null) {
            event.accept(known);
        }
    }
}
