package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.EventStream;
import io.ballast.dashboard.testing.JsonTree;
import io.ballast.dashboard.testing.TestUsers;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests agents in the API, the event stream and the metrics. */
class AgentViewTest {

    @AutoClose
    private final DashboardFixture fixture;

    AgentViewTest() throws IOException {
        fixture = new DashboardFixture(1);
    }

    @Test
    void listAndOneAgentHaveBackends() throws Exception {
        JsonTree list = JsonTree.of(fixture.get("/api/v1/agents").body());
        assertThat(list.at("total").number()).isEqualTo(1);
        JsonTree agent = JsonTree.of(fixture.get("/api/v1/agents/app5").body());
        assertThat(agent.at("status").text()).isEqualTo("approved");
        assertThat(agent.at("pending_pools").at(0).text()).isEqualTo("db");
        assertThat(agent.at("backends").at(0).at("address").text()).isEqualTo("10.0.1.5:8080");
        assertThat(agent.at("backends").at(0).at("wanted_percent").number()).isEqualTo(10);
        assertThat(agent.at("backends").at(0).at("used_percent").number()).isEqualTo(100);
        assertThat(fixture.get("/api/v1/agents/other").statusCode()).isEqualTo(404);
        assertThat(JsonTree.of(fixture.get("/api/v1/agents?offset=1").body())
                        .at("agents")
                        .items())
                .isEmpty();
        assertThat(JsonTree.of(fixture.get("/api/v1/agent-tokens").body())
                        .at("tokens")
                        .at(0)
                        .at("status")
                        .text())
                .isEqualTo("valid");
    }

    @Test
    void operatorsChangeAgentsAndViewersDoNot() throws Exception {
        try (DashboardFixture users = DashboardFixture.withUsers()) {
            assertThat(post(users, "/api/v1/agents/app5/revoke", TestUsers.VIEWER_TOKEN))
                    .isEqualTo(403);
            assertThat(post(users, "/api/v1/agent-tokens/rack1/revoke", TestUsers.VIEWER_TOKEN))
                    .isEqualTo(403);
            assertThat(users.agents().commands()).isEmpty();

            assertThat(post(users, "/api/v1/agents/app5/revoke", TestUsers.OPERATOR_TOKEN))
                    .isEqualTo(200);
            assertThat(post(users, "/api/v1/agents/app5/approve", TestUsers.OPERATOR_TOKEN))
                    .isEqualTo(200);
            assertThat(post(users, "/api/v1/agent-tokens/rack1/revoke", TestUsers.OPERATOR_TOKEN))
                    .isEqualTo(200);
            assertThat(post(users, "/api/v1/agents/other/revoke", TestUsers.OPERATOR_TOKEN))
                    .isEqualTo(404);
            assertThat(users.agents().commands())
                    .extracting(text -> text.replaceFirst(" by .*", ""))
                    .containsExactly("revoke app5", "approve app5", "revoke token rack1", "revoke other");
        }
    }

    @Test
    void tokensAreCreatedWithTheirHash() throws Exception {
        String hash = "sha256:" + "ab".repeat(32);
        String path = "/api/v1/agent-tokens/rack2?pool=web,db&expires=2027-01-31T12:00:00Z&who=ann&hash=";

        assertThat(fixture.send("POST", path + hash).statusCode()).isEqualTo(202);

        assertThat(fixture.agents().commands())
                .containsExactly("create token rack2 for [web, db] until Optional[2027-01-31T12:00:00Z] by ann");
        assertThat(fixture.send("POST", path + "ab").statusCode()).isEqualTo(400);
        assertThat(fixture.send("POST", "/api/v1/agent-tokens/rack2?hash=" + hash)
                        .statusCode())
                .isEqualTo(400);
        assertThat(fixture.send("POST", path.replace("rack2", "rack%202") + hash)
                        .statusCode())
                .isEqualTo(400);
    }

    private static int post(DashboardFixture fixture, String path, String token) throws Exception {
        return fixture.send("POST", path, "Authorization", "Bearer " + token).statusCode();
    }

    @Test
    void streamHasNumbers() throws Exception {
        try (EventStream stream = new EventStream(fixture)) {
            JsonTree agents = stream.next("snapshot").data().at("agents");
            assertThat(agents.at("stale").number()).isEqualTo(2);

            fixture.disableAgents();
            stream.next(
                    "tick",
                    tick -> tick.names().contains("agents") && tick.at("agents").isNull());
        }
    }

    @Test
    void metricsHaveNumbers() throws Exception {
        assertThat(fixture.get("/metrics").body())
                .contains("ballast_agents{state=\"reporting\"} 1\n")
                .contains("ballast_agents{state=\"stale\"} 2\n")
                .contains("ballast_agents{state=\"pending\"} 3\n")
                .contains("ballast_agent_backends 4\n")
                .contains("ballast_agent_reduced_backends 5\n")
                .contains("ballast_agent_reports_total 6\n")
                .contains("ballast_agent_refused_requests_total 7\n")
                .contains("ballast_agent_latencies_total 8\n");
    }

    @Test
    void processWithoutAgentsHasNone() throws Exception {
        fixture.disableAgents();

        assertThat(fixture.get("/api/v1/agents").statusCode()).isEqualTo(404);
        assertThat(fixture.get("/api/v1/agent-tokens").statusCode()).isEqualTo(404);
        assertThat(fixture.get("/metrics").body()).doesNotContain("ballast_agent");
    }
}
