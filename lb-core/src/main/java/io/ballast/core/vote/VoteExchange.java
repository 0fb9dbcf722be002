package io.ballast.core.vote;

import io.ballast.core.config.vote.Quorum;
import java.util.Collection;
import java.util.Set;

/**
 * Exchanges votes between the nodes of a cluster. A backend is named by its pool and its address, such as
 * {@code web/10.0.0.7:8080}, in the same spelling on all nodes. Thread-safe; no method blocks.
 */
public interface VoteExchange {

    /** The name of this node. */
    String self();

    /** The names of the connected nodes and of this node. */
    Set<String> members();

    /** The votes of the connected nodes about a backend, without that of this node. */
    Collection<Vote> votes(String backend);

    /** Sends the vote of this node, which replaces the previous one. */
    void publish(String backend, Vote vote);

    /** Withdraws the vote of this node. */
    void withdraw(String backend);

    /** The quorum of a pool whose configuration has none. It depends on what uses the pool. */
    Quorum defaultQuorum(String pool);

    /** Sets the listener for changes of votes and of connected nodes. Called once. */
    void listen(Listener listener);

    /** Is notified of changes. May be called by any thread; must not block. */
    interface Listener {

        /** Called when the votes of other nodes about these backends have changed. */
        void votesChanged(Collection<String> backends);

        /** Called when {@link #members} has changed. */
        void membersChanged();
    }
}
