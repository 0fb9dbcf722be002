package io.ballast.cluster.raft;

import static io.ballast.cluster.raft.Records.MODELS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microraft.RaftEndpoint;
import io.microraft.model.log.BaseLogEntry;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.persistence.RestoredRaftState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogFileTest {

    private static final LogMember SELF = new LogMember("n1", new UUID(1, 2));
    private static final LogMember OTHER = new LogMember("n2", new UUID(3, 4));

    @TempDir
    private Path directory;

    private LogFile file;

    @BeforeEach
    void begin() throws IOException {
        file = LogFile.open(directory);
        file.persistAndFlushLocalEndpoint(MODELS.createRaftEndpointPersistentStateBuilder()
                .setLocalEndpoint(SELF)
                .setVoting(true)
                .build());
        file.persistAndFlushInitialGroupMembers(view(0));
    }

    private static RaftGroupMembersView view(long index) {
        List<RaftEndpoint> members = List.of(SELF, OTHER);
        return MODELS.createRaftGroupMembersViewBuilder()
                .setLogIndex(index)
                .setMembers(members)
                .setVotingMembers(members)
                .build();
    }

    private static LogEntry entry(long index) {
        return MODELS.createLogEntryBuilder()
                .setIndex(index)
                .setTerm(1)
                .setOperation(new byte[] {(byte) index})
                .build();
    }

    private void append(long first, long last) throws IOException {
        file.persistLogEntries(
                LongStream.rangeClosed(first, last).mapToObj(LogFileTest::entry).toList());
        file.flush();
    }

    private void addChunk(long index, int number, int count) throws IOException {
        SnapshotChunk chunk = MODELS.createSnapshotChunkBuilder()
                .setIndex(index)
                .setTerm(1)
                .setOperation(new byte[] {(byte) number})
                .setSnapshotChunkIndex(number)
                .setSnapshotChunkCount(count)
                .setGroupMembersView(view(index))
                .build();
        file.persistSnapshotChunk(chunk);
    }

    private RestoredRaftState reopen() throws IOException {
        file.close();
        UUID copy = file.copy();
        file = LogFile.open(directory);
        assertThat(file.copy()).isEqualTo(copy);
        return file.restored();
    }

    private static List<Long> indexes(RestoredRaftState state) {
        return state.getLogEntries().stream().map(BaseLogEntry::getIndex).toList();
    }

    private Path path() {
        return directory.resolve(RecordFile.NAME);
    }

    @Test
    void emptyFileHasNothingToContinueWith() throws IOException {
        try (LogFile empty = LogFile.open(Files.createDirectory(directory.resolve("empty")))) {
            assertThat(empty.restored()).isNull();
        }
    }

    @Test
    void everythingIsRestored() throws IOException {
        file.persistAndFlushTerm(MODELS.createRaftTermPersistentStateBuilder()
                .setTerm(7)
                .setVotedFor(OTHER)
                .build());
        append(1, 3);

        RestoredRaftState state = reopen();

        assertThat(state.getLocalEndpointPersistentState().getLocalEndpoint()).isEqualTo(SELF);
        assertThat(state.getLocalEndpointPersistentState().isVoting()).isTrue();
        assertThat(state.getInitialGroupMembers().getMembers()).containsExactly(SELF, OTHER);
        assertThat(state.getTermPersistentState().getTerm()).isEqualTo(7);
        assertThat(state.getTermPersistentState().getVotedFor()).isEqualTo(OTHER);
        assertThat(state.getSnapshotEntry()).isNull();
        assertThat(state.getLogEntries())
                .extracting(BaseLogEntry::getOperation)
                .containsExactly(new byte[] {1}, new byte[] {2}, new byte[] {3});
    }

    @Test
    void removedEntriesStayRemoved() throws IOException {
        append(1, 5);
        file.truncateLogEntriesFrom(3);
        append(3, 3);

        assertThat(indexes(reopen())).containsExactly(1L, 2L, 3L);
    }

    @Test
    void snapshotReplacesEntriesAndShortensFile() throws IOException {
        append(1, 100);
        long before = Files.size(path());
        addChunk(98, 1, 2);
        addChunk(98, 0, 2);
        file.flush();
        file.truncateLogEntriesUntil(98);
        append(101, 101);

        assertThat(Files.size(path())).isLessThan(before);
        RestoredRaftState state = reopen();
        assertThat(state.getSnapshotEntry().getIndex()).isEqualTo(98);
        assertThat((List<?>) state.getSnapshotEntry().getOperation()).hasSize(2);
        assertThat(indexes(state)).containsExactly(99L, 100L, 101L);
    }

    @Test
    void incompleteSnapshotIsIgnored() throws IOException {
        append(1, 2);
        addChunk(50, 0, 2);
        file.flush();

        RestoredRaftState state = reopen();

        assertThat(state.getSnapshotEntry()).isNull();
        assertThat(indexes(state)).containsExactly(1L, 2L);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 11, 12, 13})
    void incompleteLastRecordIsRemoved(int bytes) throws IOException {
        append(1, 2);
        byte[] complete = Files.readAllBytes(path());
        append(3, 3);
        byte[] longer = Files.readAllBytes(path());
        file.close();
        Files.write(path(), Arrays.copyOf(longer, complete.length + bytes));
        file = LogFile.open(directory);

        assertThat(indexes(file.restored())).containsExactly(1L, 2L);
        append(3, 3);
        assertThat(indexes(reopen())).containsExactly(1L, 2L, 3L);
    }

    @Test
    void changedByteIsReported() throws IOException {
        append(1, 9);
        file.close();
        byte[] bytes = Files.readAllBytes(path());
        for (int position = 0; position < bytes.length; position++) {
            byte[] changed = bytes.clone();
            changed[position] ^= 0x40;
            Files.write(path(), changed);
            assertThatThrownBy(() -> LogFile.open(directory))
                    .as("byte %d", position)
                    .isInstanceOf(DamagedLogException.class);
        }
    }

    @Test
    void zerosAfterTheLastRecordAreReported() throws IOException {
        append(1, 1);
        file.close();
        Files.write(path(), new byte[100], StandardOpenOption.APPEND);

        assertThatThrownBy(() -> LogFile.open(directory)).isInstanceOf(DamagedLogException.class);
    }

    @Test
    void nothingIsWrittenAfterError() throws IOException {
        append(1, 1);
        file.close(); // each write fails from now on

        assertThatThrownBy(() -> append(2, 2)).isInstanceOf(IOException.class);
        assertThat(file.failure()).isNotNull();
        assertThatThrownBy(() -> file.flush()).hasMessageContaining("an earlier write failed");
    }
}
