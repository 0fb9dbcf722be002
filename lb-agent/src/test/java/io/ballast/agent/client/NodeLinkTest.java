package io.ballast.agent.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.agent.config.ReportTo;
import io.ballast.core.testing.ManualScheduler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NodeLinkTest {

    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final FakeNode first = new FakeNode();
    private final FakeNode second = new FakeNode();
    private final List<String> failures = new ArrayList<>();
    private final List<String> commands = new ArrayList<>();
    private String report = "1";
    private NodeLinks links = links(ReportTo.ALL, first);

    @Test
    void unknownAgentRegistersAndReports() {
        first.answerReports(401, Duration.ZERO);

        start();

        assertThat(first.requests).containsExactly("report 1", "register", "report 1", "commands ");
        assertThat(links.isAnyConnected()).isTrue();
    }

    @Test
    void reportIsRepeatedAsHeartbeatAndSentAtOnceAfterAChange() {
        start();
        advance(Duration.ofMillis(8_900));
        assertThat(first.reports()).hasSize(1);
        advance(Duration.ofMillis(1_100));
        assertThat(first.reports()).hasSize(2);

        report = "2";
        links.changed();
        advance(Duration.ZERO);

        assertThat(first.reports()).containsExactly("report 1", "repeat 1", "report 2");
        advance(HEARTBEAT);
        assertThat(first.reports()).last().isEqualTo("repeat 2");
    }

    @Test
    void aNodeThatHasForgottenTheReportGetsItAgain() {
        start();
        first.forget(true);
        advance(HEARTBEAT);
        assertThat(first.reports()).containsExactly("report 1", "repeat 1", "report 1");
        assertThat(failures).isEmpty();

        first.forget(false);
        advance(HEARTBEAT);
        assertThat(first.reports()).last().isEqualTo("repeat 1");
    }

    @Test
    void aReportWithRefusedBackendsIsRepeatedWithAllBackends() {
        first.refuse("an operator has to approve the agent");
        start();
        advance(HEARTBEAT);

        assertThat(first.reports()).containsExactly("report 1", "report 1");
    }

    @Test
    void failedReportsAreRepeatedForeverWithBoundedWaits() {
        first.goDown();
        start();

        advance(Duration.ofMinutes(10));
        int attempts = first.reports().size();
        assertThat(attempts).isBetween(120, 180);

        first.answerReports(200, Duration.ZERO);
        advance(NodeLink.MAX_WAIT);
        assertThat(links.isAnyConnected()).isTrue();
    }

    @Test
    void brokenConnectionIsNoticedByTheWaitingRequest() {
        start();
        first.goDown();
        advance(Duration.ZERO);

        assertThat(first.reports()).hasSize(2);
        assertThat(links.isAnyConnected()).isFalse();
        assertThat(failures).isNotEmpty();
    }

    @Test
    void revokedAgentAsksOnceAMinute() {
        first.answerReports(403, Duration.ZERO);
        start();

        advance(Duration.ofSeconds(59));
        assertThat(first.reports()).hasSize(1);
        advance(Duration.ofSeconds(1));
        assertThat(first.reports()).hasSize(2);
        assertThat(failures).first().isEqualTo("node 0: status 403: refused");
    }

    @Test
    void requestedWaitIsObserved() {
        first.answerReports(429, Duration.ofSeconds(20));
        start();

        advance(Duration.ofMillis(19_900));
        assertThat(first.reports()).hasSize(1);
        advance(Duration.ofMillis(200));
        assertThat(first.reports()).hasSize(2);
    }

    @Test
    void wrongTokenIsNotTriedOften() {
        first.answerReports(401, Duration.ZERO);
        first.answerRegistrations(401);
        start();

        advance(Duration.ofSeconds(59));
        assertThat(first.requests).containsExactly("report 1", "register");
    }

    @Test
    void commandsArePassedOnAndAskedForAgain() {
        start();

        first.command("v1", "drain");
        advance(Duration.ZERO);

        assertThat(commands).containsExactly("v1");
        assertThat(first.requests).last().isEqualTo("commands v1");
    }

    @Test
    void nextNodeIsAskedAtOnceIfTheActiveOneFails() {
        links = links(ReportTo.ONE, first, second);
        start();
        assertThat(second.requests).isEmpty();

        first.goDown();
        advance(Duration.ZERO);

        assertThat(second.reports()).hasSize(1);
        assertThat(links.isAnyConnected()).isTrue();
        int before = first.requests.size();
        advance(Duration.ofMinutes(1));
        assertThat(first.requests).hasSize(before);

        second.goDown();
        first.answerReports(200, Duration.ZERO);
        advance(Duration.ofSeconds(3));
        assertThat(first.requests.size()).isGreaterThan(before);
        assertThat(links.isAnyConnected()).isTrue();
    }

    @Test
    void roundsWithoutSuccessAreDelayed() {
        links = links(ReportTo.ONE, first, second);
        first.goDown();
        second.goDown();
        start();

        advance(Duration.ofMinutes(10));
        assertThat(first.reports().size()).isBetween(100, 300);
        assertThat(second.reports().size()).isBetween(100, 300);
    }

    @Test
    void allNodesGetTheReportsByDefault() {
        links = links(ReportTo.ALL, first, second);
        start();

        assertThat(first.reports()).hasSize(1);
        assertThat(second.reports()).hasSize(1);
    }

    @Test
    void latencyIsSentToConnectedNodesOnly() {
        links.sendLatency(new byte[] {'['});
        assertThat(first.requests).isEmpty();
        start();

        links.sendLatency(new byte[] {'['});
        first.answerReports(404, Duration.ZERO);
        links.sendLatency(new byte[] {'['});
        advance(Duration.ZERO);

        assertThat(first.requests).containsSubsequence("latency [", "latency [");
        assertThat(failures).containsExactly("node 0: refused");
        assertThat(links.isAnyConnected()).isTrue();
    }

    @Test
    void deregistrationStopsTheReports() {
        start();

        assertThat(links.deregister()).isCompleted();
        int before = first.requests.size();
        advance(Duration.ofMinutes(1));

        assertThat(first.requests).hasSize(before).last().isEqualTo("deregister");
    }

    private void start() {
        links.start();
        advance(Duration.ZERO);
    }

    private void advance(Duration time) {
        scheduler.advance(time);
    }

    private NodeLinks links(ReportTo reportTo, FakeNode... nodes) {
        List<NodeLink> all = new ArrayList<>();
        for (FakeNode each : nodes) {
            all.add(new NodeLink(
                    "node " + all.size(),
                    each,
                    scheduler.controlPlane(),
                    () -> report.getBytes(StandardCharsets.UTF_8),
                    HEARTBEAT,
                    new SplittableRandom(1),
                    new Recorder()));
        }
        return new NodeLinks(scheduler.controlPlane(), reportTo, all);
    }

    private final class Recorder implements NodeLink.Listener {

        @Override
        public void onAccepted(NodeLink link, NodeApi.Reply reply) {
            links.onAccepted();
        }

        @Override
        public void onFailed(NodeLink link, String reason) {
            failures.add(link.node() + ": " + reason);
            links.onFailed(link);
        }

        @Override
        public void onLatencyRefused(NodeLink link, String reason) {
            failures.add(link.node() + ": " + reason);
        }

        @Override
        public void onCommands(NodeLink link, NodeApi.Reply reply) {
            commands.add(String.valueOf(reply.body().get("version")));
        }
    }
}
