package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.ReloadReport.Outcome;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests static files in a whole process: configuration, reload, policies and metrics. */
class StaticFilesTest {

    @TempDir
    private Path directory;

    @RegisterExtension
    final ProcessFixture process = new ProcessFixture();

    private StartedBalancer start(String text) throws Exception {
        return process.start(directory, text);
    }

    private void write(String name, String content) throws Exception {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private String config(String files) {
        return """
            policies:
              pack: {compress: {min_size: 100B}}
              office: {ip: {deny: all}}
            listeners:
              - bind: 127.0.0.1:0
                routes:
                  - match: {path: /app}
                    rewrite: {strip: /app}
                    policies: [pack]
                    headers: {response: {set: {X-Site: app}}}
                    files: %s
                  - match: {path: /private}
                    policies: [office]
                    files: site
            pools:
              web: {backends: ["%s"]}
            dashboard: {bind: 127.0.0.1:0}
            data_dir: data
            """.formatted(files, process.backend());
    }

    @Test
    void routeAnswersWithFiles() throws Exception {
        write("site/index.html", "home");
        write("site/private/a.txt", "secret");
        StartedBalancer balancer = start(config("{root: site, fallback: /index.html}"));

        HttpResponse<String> home = balancer.get("/app/");
        assertThat(home.body()).isEqualTo("home");
        assertThat(home.headers().firstValue("x-site")).contains("app");
        assertThat(balancer.get("/app/users/1").body()).isEqualTo("home");
        assertThat(balancer.get("/app").body()).isEqualTo("home");
        assertThat(balancer.get("/app/lost.js").statusCode()).isEqualTo(404);
        assertThat(balancer.get("/private/a.txt").statusCode()).isEqualTo(403);
        assertThat(balancer.request(balancer.dashboard(), "GET", "/metrics").body())
                .containsPattern("ballast_listener_file_requests_total\\{listener=\"[^\"]*\"} 4");
    }

    @Test
    void reloadChangesTheRoot() throws Exception {
        write("site/index.html", "old");
        write("next/index.html", "new");
        StartedBalancer balancer = start(config("site"));
        assertThat(balancer.get("/app/").body()).isEqualTo("old");

        ReloadReport refused = balancer.reload(config("missing"));
        assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(refused.toString())
                .contains("listeners[0].routes[0].files.root: ")
                .contains("missing is not a directory (expected: the existing directory of the files)");
        assertThat(balancer.get("/app/").body()).isEqualTo("old");

        assertThat(balancer.reload(config("next")).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(balancer.get("/app/").body()).isEqualTo("new");
    }
}
