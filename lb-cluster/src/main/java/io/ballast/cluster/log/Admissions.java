package io.ballast.cluster.log;

import static io.microraft.MembershipChangeMode.ADD_LEARNER;
import static io.microraft.MembershipChangeMode.ADD_OR_PROMOTE_TO_FOLLOWER;
import static io.microraft.MembershipChangeMode.REMOVE_MEMBER;

import io.ballast.cluster.raft.LogMember;
import io.microraft.MembershipChangeMode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * While this node is the leader, changes the members of the group until they are the configured voters, one change at a
 * time. A member is one copy of the log: a node that has lost its files joins as a new member. The connected member of
 * a configured voter joins as a learner, and becomes a voter when it has caught up. A member is removed if its node has
 * a newer member or is not a configured voter, or if an operator has {@linkplain FactLog#forget removed} its node.
 * A leader that is not a configured voter, or is a witness, transfers the leadership. Confined to the log thread.
 */
final class Admissions {

    private static final Logger LOG = LoggerFactory.getLogger(Admissions.class);

    /** Maximum number of commands that a member may lack when it becomes a voter. */
    private static final int MAX_LAG = 100;

    private final List<String> voters;
    private final boolean servesClients;
    private final LogMember self;
    private final PeerStatuses statuses;
    private final FactState state;
    private @Nullable CompletableFuture<?> pending;

    Admissions(FactLogConfig config, LogMember self, PeerStatuses statuses, FactState state) {
        this.voters = config.voters();
        this.servesClients = config.servesClients();
        this.self = self;
        this.statuses = statuses;
        this.state = state;
    }

    /** Starts the next change, if one is necessary and none is in progress. */
    void step(LogGroup group) {
        if ((pending != null && !pending.isDone()) || !group.isLeader()) {
            return;
        }
        GroupMembers membership = group.membership();
        Change change = next(group, membership);
        if (change == null) {
            return;
        }
        CompletableFuture<?> started = change.mode() == null
                ? group.node().transferLeadership(change.member())
                : group.node().changeMembership(change.member(), change.mode(), membership.index());
        pending = started;
        started.whenComplete((result, failure) -> {
            if (failure == null) {
                LOG.info("cluster=member_changed node={} change={}", change.member(), change.name());
                step(group);
            } else {
                LOG.debug("cluster=member_change_failed node={} change={}", change.member(), change.name(), failure);
            }
        });
    }

    private @Nullable Change next(LogGroup group, GroupMembers membership) {
        for (String voter : voters) {
            LogStatus status = statuses.get(voter);
            if (status != null
                    && !statuses.isForgotten(voter)
                    && status.copy() != null
                    && status.initialMembers().equals(group.initialMembers())
                    && !membership.members().contains(status.copy())
                    && membership.members().size() == membership.voters().size()) {
                return new Change(status.copy(), ADD_LEARNER);
            }
        }
        for (LogMember member : membership.members()) {
            Change change = member.equals(self) ? null : next(group, member, membership);
            if (change != null) {
                return change;
            }
        }
        return servesClients && voters.contains(self.node()) ? null : resignation(membership);
    }

    private @Nullable Change next(LogGroup group, LogMember member, GroupMembers membership) {
        LogStatus status = statuses.get(member.node());
        if (member.node().equals(self.node())
                || !voters.contains(member.node())
                || statuses.isForgotten(member.node())) {
            return new Change(member, REMOVE_MEMBER);
        }
        if (status == null) {
            return null;
        }
        if (member.equals(status.copy())) {
            boolean votes = membership.voters().contains(member);
            return !votes && status.applied() >= state.applied() - MAX_LAG
                    ? new Change(member, ADD_OR_PROMOTE_TO_FOLLOWER)
                    : null;
        }
        boolean wasReplaced = status.copy() != null && status.initialMembers().equals(group.initialMembers());
        return wasReplaced ? new Change(member, REMOVE_MEMBER) : null;
    }

    /**
     * Returns the transfer of the leadership to a configured voter. A witness transfers it only to a voter that serves
     * clients and has caught up; null if no such voter is connected.
     */
    private @Nullable Change resignation(GroupMembers membership) {
        for (LogMember member : membership.voters()) {
            if (!member.equals(self) && voters.contains(member.node()) && statuses.isConnected(member)) {
                LogStatus status = statuses.get(member.node());
                boolean isBetter =
                        status != null && status.servesClients() && status.applied() >= state.applied() - MAX_LAG;
                if (isBetter || !voters.contains(self.node())) {
                    return new Change(member, null);
                }
            }
        }
        return null;
    }

    /** @param mode the change of the member's role; null to transfer the leadership to the member */
    private record Change(LogMember member, @Nullable MembershipChangeMode mode) {
        String name() {
            return mode == null ? "leads" : mode == ADD_LEARNER ? "joins" : mode == REMOVE_MEMBER ? "leaves" : "votes";
        }
    }
}
