package io.ballast.replication;

import io.ballast.dashboard.source.FlushResult;
import io.ballast.dashboard.source.HttpCaches;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Removes entries from the caches of this node, and then from those of the other nodes, if there is a cluster. Blocks for
 * at most some seconds. Thread-safe.
 */
public final class SharedFlushes implements HttpCaches {

    private final FlushTargets targets;
    private final Optional<FlushFacts> facts;
    private final CommitWait commits;

    /** @param facts empty without a cluster */
    SharedFlushes(FlushTargets targets, Optional<FlushFacts> facts, CommitWait commits) {
        this.targets = targets;
        this.facts = facts;
        this.commits = commits;
    }

    @Override
    public FlushResult purge(Selection selection, String who) {
        return flush(CacheFlush.ofHttp(selection, who));
    }

    /**
     * Executes a command.
     *
     * @throws java.util.NoSuchElementException if there is no such cache
     * @throws IllegalArgumentException for an invalid parameter
     * @throws io.ballast.core.control.RejectedChangeException if the cluster rejects the command
     */
    public FlushResult flush(CacheFlush flush) {
        int removed = targets.flush(flush);
        if (facts.isEmpty()) {
            return FlushResult.of(removed);
        }
        FlushFacts shared = facts.get();
        String key = shared.newKey();
        FlushResult done = FlushResult.of(removed);
        return CommitWait.join(commits.change(
                key::equals,
                () -> {
                    shared.add(key, flush);
                    return CompletableFuture.completedFuture(done);
                },
                done,
                new FlushResult(removed, /* isPending= */ true)));
    }
}
