package io.ballast.cluster.raft;

import static io.ballast.cluster.raft.Records.MODELS;

import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.log.SnapshotEntry;
import io.microraft.model.persistence.RaftEndpointPersistentState;
import io.microraft.model.persistence.RaftTermPersistentState;
import io.microraft.persistence.RestoredRaftState;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The content of a log file after all its records were read. Shares its objects with MicroRaft instead of copying them.
 * Used by one thread at a time.
 */
final class LogContent {

    private final NavigableMap<Long, LogEntry> entries = new TreeMap<>();
    private final NavigableMap<Long, NavigableMap<Integer, SnapshotChunk>> chunks = new TreeMap<>();
    private @Nullable RaftEndpointPersistentState endpoint;
    private @Nullable RaftGroupMembersView initialMembers;
    private @Nullable RaftTermPersistentState term;

    void setEndpoint(RaftEndpointPersistentState endpoint) {
        this.endpoint = endpoint;
    }

    void setInitialMembers(RaftGroupMembersView members) {
        this.initialMembers = members;
    }

    void setTerm(RaftTermPersistentState term) {
        this.term = term;
    }

    void add(LogEntry entry) {
        entries.put(entry.getIndex(), entry);
    }

    void removeFrom(long index) {
        entries.tailMap(index, /* inclusive= */ true).clear();
    }

    /** Removes entries up to an index, and all snapshots older than the newest complete one. */
    void removeUntil(long index) {
        entries.headMap(index, /* inclusive= */ true).clear();
        List<SnapshotChunk> newest = newestSnapshot();
        if (!newest.isEmpty()) {
            chunks.headMap(newest.get(0).getIndex(), /* inclusive= */ false).clear();
        }
    }

    void add(SnapshotChunk chunk) {
        chunks.computeIfAbsent(chunk.getIndex(), index -> new TreeMap<>()).put(chunk.getSnapshotChunkIndex(), chunk);
    }

    void removeSnapshot(long index) {
        chunks.remove(index);
    }

    @Nullable RaftEndpointPersistentState endpoint() {
        return endpoint;
    }

    @Nullable RaftGroupMembersView initialMembers() {
        return initialMembers;
    }

    @Nullable RaftTermPersistentState term() {
        return term;
    }

    Iterable<LogEntry> entries() {
        return entries.values();
    }

    List<SnapshotChunk> chunks() {
        List<SnapshotChunk> all = new ArrayList<>();
        chunks.values().forEach(snapshot -> all.addAll(snapshot.values()));
        return all;
    }

    /** The parts of the newest complete snapshot; empty if there is none. */
    private List<SnapshotChunk> newestSnapshot() {
        for (NavigableMap<Integer, SnapshotChunk> snapshot :
                chunks.descendingMap().values()) {
            List<SnapshotChunk> parts = List.copyOf(snapshot.values());
            if (parts.size() == parts.get(0).getSnapshotChunkCount()) {
                return parts;
            }
        }
        return List.of();
    }

    /** The state from which MicroRaft continues; null if this copy has never been used. */
    @Nullable RestoredRaftState restored() {
        if (endpoint == null || initialMembers == null) {
            return null;
        }
        RaftTermPersistentState known = term != null
                ? term
                : MODELS.createRaftTermPersistentStateBuilder().setTerm(0).build();
        SnapshotEntry snapshot = snapshot();
        long first = snapshot == null ? 1 : snapshot.getIndex() + 1;
        List<LogEntry> later = new ArrayList<>();
        for (LogEntry entry : entries.tailMap(first, /* inclusive= */ true).values()) {
            if (entry.getIndex() != first + later.size()) {
                break;
            }
            later.add(entry);
        }
        return new RestoredRaftState(endpoint, initialMembers, known, snapshot, later);
    }

    private @Nullable SnapshotEntry snapshot() {
        List<SnapshotChunk> parts = newestSnapshot();
        if (parts.isEmpty()) {
            return null;
        }
        SnapshotChunk first = parts.get(0);
        return MODELS.createSnapshotEntryBuilder()
                .setIndex(first.getIndex())
                .setTerm(first.getTerm())
                .setSnapshotChunks(parts)
                .setGroupMembersView(first.getGroupMembersView())
                .build();
    }
}
