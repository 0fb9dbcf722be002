package io.ballast.server.compose;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.ReloadReport.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests policies in a whole process: configuration, reload, statistics and metrics. */
class ProcessPoliciesTest {

    private static final String TWO_PER_HOUR = "limit: {rate_limit: {rate: 2/h}}";

    @RegisterExtension
    final ProcessFixture process = new ProcessFixture();

    @TempDir
    private Path directory;

    private StartedBalancer start(String text) throws Exception {
        return process.start(directory, text);
    }

    /** @param route the policies of the route {@code /admin/} */
    private String config(String policies, String listener, String route, String pool) {
        return """
            policies:
              %s
            listeners:
              - bind: 127.0.0.1:0
                policies: [%s]
                routes:
                  - {match: {path: /admin/}, policies: [%s], pool: web}
                  - {pool: web}
            pools:
              web: {backends: ["%s"], policies: [%s]}
            dashboard: {bind: 127.0.0.1:0}
            data_dir: data
            """.formatted(policies, listener, route, process.backend(), pool);
    }

    @Test
    void routesWithTheSamePolicyShareItsState() throws Exception {
        StartedBalancer balancer = start(config(TWO_PER_HOUR, "limit", "limit", "limit"));

        assertThat(balancer.get("/").statusCode()).isEqualTo(200);
        assertThat(balancer.get("/admin/").statusCode()).isEqualTo(200);
        assertThat(balancer.get("/").statusCode()).isEqualTo(429);
        assertThat(balancer.get("/admin/").statusCode()).isEqualTo(429);
    }

    @Test
    void policiesOfListenerRouteAndPoolApply() throws Exception {
        String denied = "office: {ip: {deny: all}}";
        StartedBalancer balancer = start(config(denied, "", "office", ""));
        assertThat(balancer.get("/").statusCode()).isEqualTo(200);
        assertThat(balancer.get("/admin/").statusCode()).isEqualTo(403);

        assertThat(balancer.reload(config(denied, "", "", "office")).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(balancer.get("/").statusCode()).isEqualTo(403);

        assertThat(balancer.reload(config(denied, "", "", "")).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(balancer.get("/").statusCode()).isEqualTo(200);
    }

    @Test
    void reloadKeepsStateOfUnchangedPolicy() throws Exception {
        StartedBalancer balancer = start(config(TWO_PER_HOUR, "limit", "", ""));
        balancer.get("/");
        balancer.get("/");

        ReloadReport moved = balancer.reload(config(TWO_PER_HOUR, "", "limit", ""));
        assertThat(moved.outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(balancer.get("/admin/").statusCode()).isEqualTo(429);

        balancer.reload(config("limit: {rate_limit: {rate: 3/h}}", "limit", "", ""));
        assertThat(balancer.get("/").statusCode())
                .as("a changed limit begins anew")
                .isEqualTo(200);
    }

    @Test
    void refusedConfigurationLeavesPoliciesInPlace() throws Exception {
        StartedBalancer balancer = start(config("office: {ip: {deny: all}}", "office", "", ""));

        ReloadReport refused = balancer.reload(config(TWO_PER_HOUR, "missing", "", ""));

        assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(refused.toString()).contains("missing");
        assertThat(balancer.get("/").statusCode()).isEqualTo(403);
    }

    @Test
    void usersOfAFileLogInUntilAReloadRemovesThem() throws Exception {
        String hash = "$2y$05$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC"; // hash of myPassword
        Path users = Files.writeString(directory.resolve("htpasswd"), "# staff\nann:" + hash + "\n");
        String text = config("staff: {basic: {users_file: htpasswd}}", "staff", "", "");
        String credentials = "Basic " + Base64.getEncoder().encodeToString("ann:myPassword".getBytes(UTF_8));
        StartedBalancer balancer = start(text);
        assertThat(balancer.get("/").statusCode()).isEqualTo(401);
        assertThat(balancer.get("/", "Authorization", credentials).statusCode()).isEqualTo(200);

        Files.writeString(users, "bob:" + hash + "\n");
        assertThat(balancer.get("/", "Authorization", credentials).statusCode()).isEqualTo(200);
        assertThat(balancer.reload(text).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(balancer.get("/", "Authorization", credentials).statusCode()).isEqualTo(401);
    }

    @Test
    void outcomesAreExported() throws Exception {
        String both = "office: {ip: {deny: all}}\n  strict: {rate_limit: {rate: 1/h}, dry_run: true}";
        StartedBalancer balancer = start(config(both, "strict", "office", ""));
        balancer.get("/");
        balancer.get("/");
        balancer.get("/admin/");

        String metrics =
                balancer.request(balancer.dashboard(), "GET", "/metrics").body();
        assertThat(metrics)
                .contains("ballast_policy_requests_total{policy=\"office\",kind=\"ip\",outcome=\"refused\"} 1")
                .contains("ballast_policy_requests_total{policy=\"strict\",kind=\"rate_limit\",outcome=\"passed\"} 1")
                .contains(
                        "ballast_policy_requests_total{policy=\"strict\",kind=\"rate_limit\",outcome=\"would_refuse\"}"
                                + " 1");
        String stats = balancer.request(balancer.dashboard(), "GET", "/stats").body();
        assertThat(stats)
                .contains("{\"name\":\"strict\",\"kind\":\"rate_limit\",\"dry_run\":true,\"requests\":{\"passed\":1,");
        assertThat(balancer.command(0, "status"))
                .contains("POLICY")
                .contains("strict")
                .contains("dry run");
    }

    @Test
    void heaviestKeysAndRefusalsAreShown() throws Exception {
        String both = "office: {ip: {deny: all}}\n  strict: {rate_limit: {rate: 2/h}, dry_run: true}";
        StartedBalancer balancer = start(config(both, "strict", "office", ""));
        for (int i = 0; i < 5; i++) {
            balancer.get("/");
        }
        balancer.get("/admin/?secret");

        String policies = balancer.request(balancer.dashboard(), "GET", "/api/v1/policies")
                .body();
        assertThat(policies)
                .contains("\"key\":\"127.0.0.1\"", "\"refused\":3,\"used\":2,\"limit\":2,\"ban_seconds\":0")
                .contains("\"path\":\"/admin/\",\"status\":403,\"reason\":\"")
                .contains("\"path\":\"/\",\"status\":429,\"reason\":\"rate_limited\",\"dry_run\":true")
                .doesNotContain("secret");
        assertThat(balancer.command(0, "status"))
                .containsPattern("strict +127.0.0.1 +3 +2 +2 +dry run")
                .doesNotContain("REFUSED AT");
        assertThat(balancer.command(0, "status", "--policies"))
                .containsPattern("office +127.0.0.1 +403 +[a-z_]+ +GET +/admin/");

        balancer.reload(config(both, "", "office", ""));
        assertThat(balancer.request(balancer.dashboard(), "GET", "/api/v1/policies?policy=strict")
                        .body())
                .as("a reload keeps keys and refusals of a policy")
                .contains("\"refused\":3", "rate_limited");
    }
}
