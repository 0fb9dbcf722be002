package io.ballast.cluster.raft;

import static io.ballast.cluster.raft.Records.MODELS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microraft.MembershipChangeMode;
import io.microraft.RaftEndpoint;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.message.RaftMessage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RaftMessagesTest {

    private static final String GROUP = new UUID(5, 6).toString();
    private static final LogMember SENDER = new LogMember("n1", new UUID(1, 2));
    private static final LogMember OTHER = new LogMember("n2", new UUID(3, 4));
    private static final List<RaftEndpoint> BOTH = List.of(SENDER, OTHER);

    static Stream<RaftMessage> messages() {
        return Stream.of(
                MODELS.createAppendEntriesRequestBuilder()
                        .setGroupId(GROUP)
                        .setSender(SENDER)
                        .setTerm(9)
                        .setPreviousLogTerm(8)
                        .setPreviousLogIndex(70)
                        .setCommitIndex(60)
                        .setLogEntries(entries())
                        .setQuerySequenceNumber(5)
                        .setFlowControlSequenceNumber(4)
                        .build(),
                MODELS.createAppendEntriesSuccessResponseBuilder()
                        .setGroupId(GROUP)
                        .setSender(SENDER)
                        .setTerm(9)
                        .setLastLogIndex(71)
                        .setQuerySequenceNumber(5)
                        .setFlowControlSequenceNumber(4)
                        .build(),
                MODELS.createAppendEntriesFailureResponseBuilder()
                        .setGroupId(GROUP)
                        .setSender(SENDER)
                        .setTerm(9)
                        .setExpectedNextIndex(33)
                        .setQuerySequenceNumber(5)
                        .setFlowControlSequenceNumber(4)
                        .build(),
                snapshot(/* withChunk= */ true),
                snapshot(/* withChunk= */ false),
                MODELS.createInstallSnapshotResponseBuilder()
                        .setGroupId(GROUP)
                        .setSender(SENDER)
                        .setTerm(9)
                        .setSnapshotIndex(100)
                        .setRequestedSnapshotChunkIndex(2)
                        .setQuerySequenceNumber(5)
                        .setFlowControlSequenceNumber(4)
                        .build(),
                MODELS.createPreVoteRequestBuilder()
                        .setGroupId(GROUP)
                        .setSender(SENDER)
                        .setTerm(9)
                        .setLastLogTerm(8)
                        .setLastLogIndex(70)
                        .build(),
                MODELS.createPreVoteResponseBuilder()
                        .setGroupId(GROUP)
                        .setSender(SENDER)
                        .setTerm(9)
                        .setGranted(true)
                        .build(),
                MODELS.createVoteRequestBuilder()
                        .setGroupId(GROUP)
                        .setSender(SENDER)
                        .setTerm(9)
                        .setLastLogTerm(8)
                        .setLastLogIndex(70)
                        .setSticky(true)
                        .build(),
                MODELS.createVoteResponseBuilder()
                        .setGroupId(GROUP)
                        .setSender(SENDER)
                        .setTerm(9)
                        .setGranted(true)
                        .build(),
                MODELS.createTriggerLeaderElectionRequestBuilder()
                        .setGroupId(GROUP)
                        .setSender(SENDER)
                        .setTerm(9)
                        .setLastLogTerm(8)
                        .setLastLogIndex(70)
                        .build());
    }

    private static List<LogEntry> entries() {
        return List.of(
                entry(71, new byte[] {1, 2, 3}),
                entry(72, Records.NEW_TERM),
                entry(
                        73,
                        MODELS.createUpdateRaftGroupMembersOpBuilder()
                                .setMembers(BOTH)
                                .setVotingMembers(List.of(SENDER))
                                .setEndpoint(OTHER)
                                .setMode(MembershipChangeMode.ADD_LEARNER)
                                .build()));
    }

    private static LogEntry entry(long index, Object operation) {
        return MODELS.createLogEntryBuilder()
                .setIndex(index)
                .setTerm(9)
                .setOperation(operation)
                .build();
    }

    private static RaftMessage snapshot(boolean withChunk) {
        RaftGroupMembersView view = MODELS.createRaftGroupMembersViewBuilder()
                .setLogIndex(12)
                .setMembers(BOTH)
                .setVotingMembers(List.of(SENDER))
                .build();
        return MODELS.createInstallSnapshotRequestBuilder()
                .setGroupId(GROUP)
                .setSender(SENDER)
                .setTerm(9)
                .setSenderLeader(true)
                .setSnapshotTerm(8)
                .setSnapshotIndex(100)
                .setTotalSnapshotChunkCount(3)
                .setSnapshotChunk(
                        withChunk
                                ? MODELS.createSnapshotChunkBuilder()
                                        .setIndex(100)
                                        .setTerm(8)
                                        .setOperation(new byte[] {9, 9})
                                        .setSnapshotChunkIndex(1)
                                        .setSnapshotChunkCount(3)
                                        .setGroupMembersView(view)
                                        .build()
                                : null)
                .setSnapshottedMembers(BOTH)
                .setGroupMembersView(view)
                .setQuerySequenceNumber(5)
                .setFlowControlSequenceNumber(4)
                .build();
    }

    private static byte[] write(RaftMessage message) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        RaftMessages.write(new DataOutputStream(bytes), message);
        return bytes.toByteArray();
    }

    private static RaftMessage read(byte[] bytes) throws IOException {
        return RaftMessages.read(new DataInputStream(new ByteArrayInputStream(bytes)), GROUP);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void messageIsReadAsItWasWritten(RaftMessage message) throws IOException {
        RaftMessage read = read(write(message));

        assertThat(read).usingRecursiveComparison().isEqualTo(message);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shorterMessageIsAnError(RaftMessage message) throws IOException {
        byte[] bytes = write(message);
        for (int length = 0; length < bytes.length; length++) {
            byte[] shorter = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> read(shorter)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void randomBytesAreReadOrAnError() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            if (bytes.length > 0) {
                bytes[0] = (byte) random.nextInt(12);
            }
            try {
                assertThat(read(bytes)).isNotNull();
            } catch (IOException e) {
                assertThat(e).isNotNull();
            }
        }
    }
}
