package io.ballast.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.cluster.raft.LogMember;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PeerStatusesTest {

    private static final List<String> VOTERS = List.of("n1", "n2", "n3");
    private static final LogMember N1 = new LogMember("n1", new UUID(0, 1));
    private static final LogMember N2 = new LogMember("n2", new UUID(0, 2));
    private static final LogMember N3 = new LogMember("n3", new UUID(0, 3));

    private final PeerStatuses statuses = new PeerStatuses();

    private static LogStatus fresh(@Nullable LogMember copy) {
        return new LogStatus(copy, List.of(), 0, null, 0, "", /* servesClients= */ true);
    }

    private static LogStatus member(LogMember copy, int term, String leader) {
        List<LogMember> members = List.of(N1, N2, N3);
        return new LogStatus(
                copy, members, 7, new GroupMembers(3, members, members), term, leader, /* servesClients= */ true);
    }

    @Test
    void groupBeginsWhenAllVotersAreConnected() {
        statuses.put("n2", fresh(N2));
        statuses.put("learner", fresh(null));
        assertThat(statuses.group(N1, VOTERS)).isEmpty();

        statuses.put("n3", fresh(N3));
        assertThat(statuses.group(N1, VOTERS)).containsExactly(N1, N2, N3);
    }

    @Test
    void nodeThatDoesNotVoteBeginsNoGroup() {
        statuses.put("n1", fresh(N1));
        statuses.put("n2", fresh(N2));
        statuses.put("n3", fresh(N3));

        assertThat(statuses.group(new LogMember("n4", new UUID(0, 4)), VOTERS)).isEmpty();
    }

    @Test
    void groupOfConnectedNodeIsJoined() {
        LogMember replacement = new LogMember("n1", new UUID(0, 9));
        statuses.put("n2", member(N2, 1, "n2"));

        assertThat(statuses.group(replacement, VOTERS)).containsExactly(N1, N2, N3);
    }

    @Test
    void newestTermNamesTheLeader() {
        statuses.put("n1", member(N1, 4, "n1"));
        statuses.put("n2", member(N2, 5, "n3"));
        assertThat(statuses.leader()).isEqualTo("n3");

        statuses.put("n2", member(N2, 5, ""));
        assertThat(statuses.leader()).isNull();
    }

    @Test
    void connectedNodeWithAnotherCopyIsNotTheMember() {
        statuses.put("n2", fresh(N2));

        assertThat(statuses.isConnected(N2)).isTrue();
        assertThat(statuses.isConnected(new LogMember("n2", new UUID(0, 9)))).isFalse();
        assertThat(statuses.isConnected(N3)).isFalse();
    }
}
