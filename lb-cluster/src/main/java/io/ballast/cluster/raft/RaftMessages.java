package io.ballast.cluster.raft;

import static io.ballast.cluster.raft.Records.MODELS;

import io.microraft.model.message.AppendEntriesFailureResponse;
import io.microraft.model.message.AppendEntriesRequest;
import io.microraft.model.message.AppendEntriesSuccessResponse;
import io.microraft.model.message.InstallSnapshotRequest;
import io.microraft.model.message.InstallSnapshotResponse;
import io.microraft.model.message.PreVoteRequest;
import io.microraft.model.message.PreVoteResponse;
import io.microraft.model.message.RaftMessage;
import io.microraft.model.message.TriggerLeaderElectionRequest;
import io.microraft.model.message.VoteRequest;
import io.microraft.model.message.VoteResponse;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Writes and reads the messages of MicroRaft. They do not contain the group, which the receiver knows. */
public final class RaftMessages {

    private static final int APPEND = 1;
    private static final int APPENDED = 2;
    private static final int NOT_APPENDED = 3;
    private static final int SNAPSHOT = 4;
    private static final int SNAPSHOT_ANSWER = 5;
    private static final int PRE_VOTE = 6;
    private static final int PRE_VOTE_ANSWER = 7;
    private static final int VOTE = 8;
    private static final int VOTE_ANSWER = 9;
    private static final int ELECTION = 10;

    private RaftMessages() {}

    public static void write(DataOutput out, RaftMessage message) throws IOException {
        out.writeByte(kind(message));
        Records.writeMember(out, message.getSender());
        out.writeInt(message.getTerm());
        if (message instanceof AppendEntriesRequest append) {
            out.writeInt(append.getPreviousLogTerm());
            out.writeLong(append.getPreviousLogIndex());
            out.writeLong(append.getCommitIndex());
            Records.writeEntries(out, append.getLogEntries());
            writeSequences(out, append.getQuerySequenceNumber(), append.getFlowControlSequenceNumber());
        } else if (message instanceof AppendEntriesSuccessResponse appended) {
            out.writeLong(appended.getLastLogIndex());
            writeSequences(out, appended.getQuerySequenceNumber(), appended.getFlowControlSequenceNumber());
        } else if (message instanceof AppendEntriesFailureResponse failed) {
            out.writeLong(failed.getExpectedNextIndex());
            writeSequences(out, failed.getQuerySequenceNumber(), failed.getFlowControlSequenceNumber());
        } else if (message instanceof InstallSnapshotRequest snapshot) {
            writeSnapshot(out, snapshot);
        } else if (message instanceof InstallSnapshotResponse answer) {
            out.writeLong(answer.getSnapshotIndex());
            out.writeInt(answer.getRequestedSnapshotChunkIndex());
            writeSequences(out, answer.getQuerySequenceNumber(), answer.getFlowControlSequenceNumber());
        } else if (message instanceof PreVoteRequest request) {
            writeLast(out, request.getLastLogTerm(), request.getLastLogIndex());
        } else if (message instanceof PreVoteResponse answer) {
            out.writeBoolean(answer.isGranted());
        } else if (message instanceof VoteRequest request) {
            writeLast(out, request.getLastLogTerm(), request.getLastLogIndex());
            out.writeBoolean(request.isSticky());
        } else if (message instanceof VoteResponse answer) {
            out.writeBoolean(answer.isGranted());
        } else if (message instanceof TriggerLeaderElectionRequest request) {
            writeLast(out, request.getLastLogTerm(), request.getLastLogIndex());
        }
    }

    private static int kind(RaftMessage message) {
        if (message instanceof AppendEntriesRequest) {
            return APPEND;
        } else if (message instanceof AppendEntriesSuccessResponse) {
            return APPENDED;
        } else if (message instanceof AppendEntriesFailureResponse) {
            return NOT_APPENDED;
        } else if (message instanceof InstallSnapshotRequest) {
            return SNAPSHOT;
        } else if (message instanceof InstallSnapshotResponse) {
            return SNAPSHOT_ANSWER;
        } else if (message instanceof PreVoteRequest) {
            return PRE_VOTE;
        } else if (message instanceof PreVoteResponse) {
            return PRE_VOTE_ANSWER;
        } else if (message instanceof VoteRequest) {
            return VOTE;
        } else if (message instanceof VoteResponse) {
            return VOTE_ANSWER;
        } else if (message instanceof TriggerLeaderElectionRequest) {
            return ELECTION;
        }
        throw new IllegalArgumentException("message " + message.getClass().getName());
    }

    private static void writeSequences(DataOutput out, long query, long flowControl) throws IOException {
        out.writeLong(query);
        out.writeLong(flowControl);
    }

    private static void writeLast(DataOutput out, int term, long index) throws IOException {
        out.writeInt(term);
        out.writeLong(index);
    }

    private static void writeSnapshot(DataOutput out, InstallSnapshotRequest snapshot) throws IOException {
        out.writeBoolean(snapshot.isSenderLeader());
        out.writeInt(snapshot.getSnapshotTerm());
        out.writeLong(snapshot.getSnapshotIndex());
        out.writeInt(snapshot.getTotalSnapshotChunkCount());
        out.writeBoolean(snapshot.getSnapshotChunk() != null);
        if (snapshot.getSnapshotChunk() != null) {
            Records.writeChunk(out, snapshot.getSnapshotChunk());
        }
        Records.writeMembers(out, snapshot.getSnapshottedMembers());
        Records.writeView(out, snapshot.getGroupMembersView());
        writeSequences(out, snapshot.getQuerySequenceNumber(), snapshot.getFlowControlSequenceNumber());
    }

    /** @throws IOException if the bytes are not a message */
    public static RaftMessage read(DataInput in, Object group) throws IOException {
        int kind = in.readUnsignedByte();
        LogMember sender = Records.readMember(in);
        int term = in.readInt();
        return switch (kind) {
            case APPEND ->
                MODELS.createAppendEntriesRequestBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setPreviousLogTerm(in.readInt())
                        .setPreviousLogIndex(in.readLong())
                        .setCommitIndex(in.readLong())
                        .setLogEntries(Records.readEntries(in))
                        .setQuerySequenceNumber(in.readLong())
                        .setFlowControlSequenceNumber(in.readLong())
                        .build();
            case APPENDED ->
                MODELS.createAppendEntriesSuccessResponseBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setLastLogIndex(in.readLong())
                        .setQuerySequenceNumber(in.readLong())
                        .setFlowControlSequenceNumber(in.readLong())
                        .build();
            case NOT_APPENDED ->
                MODELS.createAppendEntriesFailureResponseBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setExpectedNextIndex(in.readLong())
                        .setQuerySequenceNumber(in.readLong())
                        .setFlowControlSequenceNumber(in.readLong())
                        .build();
            case SNAPSHOT ->
                MODELS.createInstallSnapshotRequestBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setSenderLeader(in.readBoolean())
                        .setSnapshotTerm(in.readInt())
                        .setSnapshotIndex(in.readLong())
                        .setTotalSnapshotChunkCount(in.readInt())
                        .setSnapshotChunk(in.readBoolean() ? Records.readChunk(in) : null)
                        .setSnapshottedMembers(Records.readMembers(in))
                        .setGroupMembersView(Records.readView(in))
                        .setQuerySequenceNumber(in.readLong())
                        .setFlowControlSequenceNumber(in.readLong())
                        .build();
            case SNAPSHOT_ANSWER ->
                MODELS.createInstallSnapshotResponseBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setSnapshotIndex(in.readLong())
                        .setRequestedSnapshotChunkIndex(in.readInt())
                        .setQuerySequenceNumber(in.readLong())
                        .setFlowControlSequenceNumber(in.readLong())
                        .build();
            default -> readElection(in, kind, group, sender, term);
        };
    }

    private static RaftMessage readElection(DataInput in, int kind, Object group, LogMember sender, int term)
            throws IOException {
        return switch (kind) {
            case PRE_VOTE ->
                MODELS.createPreVoteRequestBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setLastLogTerm(in.readInt())
                        .setLastLogIndex(in.readLong())
                        .build();
            case PRE_VOTE_ANSWER ->
                MODELS.createPreVoteResponseBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setGranted(in.readBoolean())
                        .build();
            case VOTE ->
                MODELS.createVoteRequestBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setLastLogTerm(in.readInt())
                        .setLastLogIndex(in.readLong())
                        .setSticky(in.readBoolean())
                        .build();
            case VOTE_ANSWER ->
                MODELS.createVoteResponseBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setGranted(in.readBoolean())
                        .build();
            case ELECTION ->
                MODELS.createTriggerLeaderElectionRequestBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setLastLogTerm(in.readInt())
                        .setLastLogIndex(in.readLong())
                        .build();
            default -> throw new IOException("unknown kind of message: " + kind);
        };
    }
}
