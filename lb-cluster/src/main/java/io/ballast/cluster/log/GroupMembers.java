package io.ballast.cluster.log;

import io.ballast.cluster.raft.LogMember;
import io.microraft.report.RaftGroupMembers;
import java.util.List;

/**
 * The members of a group at a position of its log. Immutable.
 *
 * @param index the log position of the last membership change; of two values, the greater one is newer
 * @param members the copies of the log to which the leader sends all commands
 * @param voters the members that vote
 */
record GroupMembers(long index, List<LogMember> members, List<LogMember> voters) {

    GroupMembers {
        members = List.copyOf(members);
        voters = List.copyOf(voters);
    }

    static GroupMembers of(RaftGroupMembers known) {
        return new GroupMembers(
                known.getLogIndex(),
                known.getMembers().stream().map(LogMember.class::cast).toList(),
                known.getVotingMembers().stream().map(LogMember.class::cast).toList());
    }
}
