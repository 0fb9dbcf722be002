package io.ballast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the import of single directives of HAProxy and nginx. */
class ImportCasesTest {

    private static final String HAPROXY = """
            defaults
              mode http
            frontend f
              bind 127.0.0.1:8080
              %s
              default_backend b
            backend b
              %s
              server s1 127.0.0.1:9001%s
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @Test
    void nginxProtoIsOverwrittenBesideAppendedFor() throws IOException {
        assertThat(nginx("""
                server {
                  listen 80;
                  location / {
                    proxy_pass http://127.0.0.1:9001;
                    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                    proxy_set_header X-Forwarded-Proto $scheme;
                  }
                }
                """)).isZero();
        assertThat(out.toString())
                .contains("x-forwarded-for: append")
                .doesNotContain("x-forwarded-proto: ")
                .contains("- x-forwarded-for", "- x-forwarded-proto")
                .contains("x-forwarded-host: \"off\"", "forwarded: \"off\"");
    }

    @Test
    void haproxyProtoIsOverwrittenBesideForwardfor() throws IOException {
        assertThat(haproxy("http-request set-header X-Forwarded-Proto http", "option forwardfor", ""))
                .isZero();
        assertThat(out.toString())
                .contains("x-forwarded-for: append")
                .doesNotContain("x-forwarded-proto: ")
                .contains("- x-forwarded-for", "- x-forwarded-proto");
    }

    @Test
    void untranslatableHeaderIsRemovedFromRequests() throws IOException {
        assertThat(nginx("""
                server {
                  listen 80;
                  location / {
                    proxy_pass http://127.0.0.1:9001;
                    proxy_set_header X-Client-Verified $ssl_client_verify;
                  }
                }
                """)).isEqualTo(3);
        assertThat(haproxy("http-request set-header X-Client-Verified %[ssl_c_verify]", "", ""))
                .isEqualTo(3);
        assertThat(out.toString().split("remove:\\s+- X-Client-Verified", -1)).hasSize(3);
        assertThat(err.toString()).contains("the header is removed from requests");
    }

    @Test
    void zeroFailTimeoutDisablesEjection() throws IOException {
        assertThat(nginx("""
                upstream app { server 127.0.0.1:9001 fail_timeout=0; }
                server { listen 80; location / { proxy_pass http://app; } }
                """)).isZero();
        assertThat(out.toString()).contains("outlier: \"off\"");
    }

    @Test
    void rejectedSettingIsOmitted() throws IOException {
        assertThat(haproxy("", "", " check inter 1s fall 1000")).isEqualTo(3);
        assertThat(err.toString()).contains("omitted (the default applies): pools.b.health.fall: ");
        assertThat(out.toString()).contains("interval: 1s").doesNotContain("fall:");

        assertThat(haproxy("", "", "\n  server s2 127.0.0.1:99999")).isEqualTo(1);
        assertThat(err.toString())
                .contains("nothing was written, because Ballast would reject the result: pools.b.backends[1]");
    }

    @Test
    void deletedClientHeaderIsNotForwarded() throws IOException {
        assertThat(haproxy("http-request del-header X-Forwarded-For", "", "")).isZero();
        assertThat(out.toString())
                .contains("forwarding_headers: []", "x-forwarded-proto: \"off\"")
                .doesNotContain("x-forwarded-for", "remove:");
    }

    @Test
    void siteFileIsReadAsHttpBlock() throws IOException {
        Path sites = Files.createDirectories(directory.resolve("sites-available"));
        Files.writeString(directory.resolve("proxy.conf"), "proxy_set_header Host $host;\n");
        Path site = Files.writeString(
                sites.resolve("shop"),
                "server { listen 80; include proxy.conf; location / { proxy_pass http://127.0.0.1:9001; } }\n");

        assertThat(run("nginx", site.toString())).isZero();
        assertThat(out.toString())
                .contains("bind: 0.0.0.0:80", "127.0.0.1:9001")
                .doesNotContain("host: backend");
    }

    @Test
    void streamFileIsReadAsStreamBlock() throws IOException {
        assertThat(nginx("server { listen 5432; proxy_pass 127.0.0.1:9001; }")).isZero();
        assertThat(out.toString()).contains("protocol: tcp");
    }

    @Test
    void importsCheckPorts() throws IOException {
        assertThat(haproxy("", "option httpchk GET /", " check port 8008")).isZero();
        assertThat(out.toString()).contains("port: 8008").doesNotContain("health_port");

        assertThat(haproxy("", "option httpchk GET /", " check port 8008\n  server s2 127.0.0.1:9002 check port 8009"))
                .isZero();
        assertThat(out.toString()).contains("health_port: 8008", "health_port: 8009");
    }

    @Test
    void impossibleChecksAreOmitted() throws IOException {
        String other = " check addr 127.0.0.2\n  server s2 127.0.0.1:9002 check addr 127.0.0.3";
        assertThat(haproxy("", "option httpchk GET /", other)).isEqualTo(3);

        assertThat(out.toString()).contains("type: none").doesNotContain("type: http");
        assertThat(err.toString()).contains("no health check is imported");
    }

    @Test
    void afterResponseHeadersBecomeResponseRules() throws IOException {
        assertThat(haproxy("http-after-response set-header X-A b", "http-after-response del-header X-B", ""))
                .isZero();
        assertThat(out.toString()).contains("X-A: b", "- X-B");
        assertThat(err.toString()).contains(":5: same: http-after-response set-header X-A b");
    }

    @Test
    void importsConnectionReuseOfHaproxy() throws IOException {
        assertThat(haproxy("", "", "")).isZero();
        assertThat(written()).contains("reuse: safe");
        assertThat(haproxy("", "http-reuse always", "")).isZero();
        assertThat(written()).contains("reuse: always");
        assertThat(haproxy("", "http-reuse aggressive", "")).isZero();
        assertThat(written()).contains("reuse: always");
        assertThat(haproxy("", "http-reuse never", "")).isZero();
        assertThat(written()).contains("reuse: never");
        assertThat(haproxy("", "http-reuse never", " proto h2")).isEqualTo(3);
        assertThat(written()).contains("reuse: safe");
    }

    /** Returns the output since the last call. */
    private String written() {
        String text = out.toString();
        out.getBuffer().setLength(0);
        return text;
    }

    private int haproxy(String frontend, String backend, String server) throws IOException {
        return run("haproxy", file(HAPROXY.formatted(frontend, backend, server)));
    }

    @Test
    void nginxErrorPagesAreFilesOfTheRoute() throws IOException {
        Path root = Files.createDirectories(directory.resolve("html"));
        Files.writeString(root.resolve("50x.html"), "sorry");
        Files.writeString(root.resolve("404.html"), "nothing here");
        assertThat(nginx("""
                server {
                  listen 80;
                  error_page 404 =410 /404.html;
                  error_page 500 502 /50x.html;
                  root html;
                  location = /50x.html { internal; }
                  location / { proxy_pass http://127.0.0.1:9001; proxy_intercept_errors on; }
                }
                """)).isZero();
        assertThat(out.toString())
                .contains("status: 410", root.resolve("404.html").toString())
                .contains("502: " + root.resolve("50x.html"))
                .containsPattern("intercept:\\s+- 404\\s+- 500\\s+- 502")
                .doesNotContain("path_exact");
    }

    @Test
    void nginxErrorPagesThatAreNoFilesHaveNoEquivalent() throws IOException {
        assertThat(nginx("""
                server {
                  listen 80;
                  error_page 404 @fallback;
                  error_page 403 = /login;
                  location / { proxy_pass http://127.0.0.1:9001; }
                }
                """)).isEqualTo(3);
        assertThat(out.toString()).doesNotContain("error_pages");
        assertThat(err.toString())
                .contains("no equivalent: error_page 404 @fallback (error_pages supports only pages that are files)");
    }

    @Test
    void nginxCompressionBecomesPolicies() throws IOException {
        assertThat(nginx("""
                gzip_types application/json text/css;
                gzip_min_length 1k;
                gzip_comp_level 6;
                gzip on;
                server {
                  listen 80;
                  location / { proxy_pass http://127.0.0.1:9001; }
                  location /app/ { proxy_pass http://127.0.0.1:9001; brotli on; }
                  location /raw/ { proxy_pass http://127.0.0.1:9001; gzip off; }
                }
                """)).isZero();
        assertThat(out.toString())
                .containsPattern("compress:\\s+compress:\\s+types:[^:]+encodings:\\s+- br\\s+- gzip")
                .containsPattern(
                        "compress-2:\\s+compress:\\s+types:\\s+- text/html\\s+- application/json\\s+- text/css")
                .contains("min_size: 1KiB", "level: 6");
        assertThat(out.toString().split("policies:\\s+- compress", -1)).hasSize(3);
    }

    private int nginx(String text) throws IOException {
        return run("nginx", file(text));
    }

    private String file(String text) throws IOException {
        return Files.writeString(Files.createTempFile(directory, "foreign", ".cfg"), text)
                .toString();
    }

    private int run(String grammar, String file) {
        return TestedCommands.commandLine()
                .setOut(new PrintWriter(out, /* autoFlush= */ true))
                .setErr(new PrintWriter(err, /* autoFlush= */ true))
                .execute("import", grammar, file);
    }
}
