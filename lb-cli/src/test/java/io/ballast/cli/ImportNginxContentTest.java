package io.ballast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.load.ConfigLoader;
import io.ballast.config.load.LoadedConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the import of files, caches and mirrors of nginx. */
class ImportNginxContentTest {

    private static final String PASS = "proxy_pass http://127.0.0.1:9001; proxy_set_header Host $host;";
    private static final String SAME_POOL =
            "proxy_pass http://127.0.0.1:9001$request_uri; proxy_set_header Host $host;";
    private static final String ZONE = "proxy_cache_path /var/cache levels=1:2 keys_zone=pages:10m inactive=1h;\n";

    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    private Path site;

    @BeforeEach
    void createSite() throws IOException {
        site = Files.createDirectory(directory.resolve("site"));
    }

    /** Returns the written configuration in one line, without quotes. */
    private String server(String http, String content) throws Exception {
        StringWriter out = new StringWriter();
        String text = http + "server { listen 8080;\n" + content.replace("SITE", site.toString()) + "\n}\n";
        Path file = Files.writeString(directory.resolve("nginx.conf"), text);
        int code = TestedCommands.commandLine()
                .setOut(new PrintWriter(out, /* autoFlush= */ true))
                .setErr(new PrintWriter(err, /* autoFlush= */ true))
                .execute("import", "nginx", file.toString());
        assertThat(code).as(err.toString()).isIn(0, 3);
        LoadedConfig loaded = new ConfigLoader(name -> "1")
                .load("written", new ByteArrayInputStream(out.toString().getBytes(StandardCharsets.UTF_8)));
        assertThat(loaded.config().listeners()).isNotEmpty();
        return out.toString().replace("\"", "").replaceAll("\\s+", " ");
    }

    // ---- files

    @Test
    void rootOfALocationBecomesFiles() throws Exception {
        String written =
                server("", "location /static/ { root SITE; index start.html other.html; } location / { " + PASS + " }");

        assertThat(written)
                .contains("files: root: " + site + " index: start.html")
                .contains("path_regex: /static/.*");
        assertThat(err.toString())
                .contains("changed: index start.html other.html (only the first name, start.html, is used)")
                .contains("links to files outside the directory are not served, but get 404")
                .doesNotContain("no equivalent");
    }

    @Test
    void rootOfAServerServesWhatNoLocationMatches() throws Exception {
        String written = server(
                "", "root SITE; gzip_static on; try_files $uri $uri/ /index.html; location /api/ { " + PASS + " }");

        assertThat(written).contains("- files: root: " + site + " fallback: /index.html precompressed: true");
        assertThat(err.toString())
                .contains("the fallback is sent only if Accept contains text/html")
                .doesNotContain("no equivalent");
    }

    @Test
    void aliasStripsThePathOfItsLocation() throws Exception {
        String written = server(
                "",
                "location /app/ { alias SITE/; try_files $uri $uri/ /app/index.html; } location / { " + PASS + " }");

        assertThat(written)
                .contains("path: /app")
                .contains("rewrite: strip: /app")
                .contains("files: root: " + site + " fallback: /index.html");
    }

    @Test
    void accessRulesOfFilesAreKept() throws Exception {
        String written = server(
                "", "root SITE; location /a { deny 10.0.0.1; allow all; } location /b { deny all; } location / { }");

        assertThat(written).contains("policies: - ").contains("deny: - 10.0.0.1");
        assertThat(written.split("files: root", -1)).hasSize(3); // not /b, which denies all clients
        assertThat(written).contains("status: 403");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "root SITE/missing;",
                "root SITE; fastcgi_pass 127.0.0.1:9000;",
                "root SITE; autoindex on;",
                "root SITE; if ($host = a) { return 404; }",
                "root SITE/$host;",
                "root;",
                "root SITE; index /start.php;",
                "alias SITE;"
            })
    void contentWithoutAnEquivalentGets404(String content) throws Exception {
        String written = server("", "location /a/ { " + content + " } location / { " + PASS + " }");

        assertThat(written).contains("status: 404").doesNotContain("files:");
        assertThat(err.toString())
                .contains("no equivalent: location /a/ (no pool could be imported, so the route responds with 404)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"$uri $uri.html =404", "$uri /index.php?$args", "/maintenance.html $uri", "=404"})
    void otherOrderOfFilesIsReported(String tried) throws Exception {
        assertThat(server("", "location / { root SITE; try_files " + tried + "; }"))
                .contains("files: root: " + site)
                .doesNotContain("fallback");
        assertThat(err.toString()).contains("no equivalent: try_files");
    }

    // ---- the cache

    @Test
    void cacheBecomesAPolicy() throws Exception {
        String written = server(
                ZONE,
                "location / { proxy_cache pages; proxy_cache_valid 200 302 10m; proxy_cache_valid 404 1m;"
                        + " proxy_cache_use_stale error timeout updating http_500 http_429; proxy_cache_key"
                        + " $scheme$proxy_host$request_uri; proxy_cache_lock on; proxy_cache_lock_timeout 2s;"
                        + " proxy_cache_bypass $http_authorization; " + PASS + " }");

        assertThat(written)
                .contains("pages: cache: default_ttl: 10m stale_if_error: 1h stale_while_revalidate: 1h max_wait: 2s")
                .contains("policies: - pages");
        assertThat(err.toString())
                .contains("in memory (at most 64MiB)")
                .contains("no equivalent: proxy_cache_valid 404 1m")
                .contains("has no such condition: http_429")
                .contains("same: proxy_cache_lock on");
    }

    @ParameterizedTest
    @CsvSource({
        "proxy_cache_key $request_uri$cookie_user",
        "proxy_no_cache $cookie_session",
        "proxy_cache_bypass $arg_nocache"
    })
    void cacheWithAConditionIsNotConverted(String condition) throws Exception {
        assertThat(server(ZONE, "location / { proxy_cache pages; " + condition + "; " + PASS + " }"))
                .doesNotContain("cache:");
        assertThat(err.toString()).contains("no equivalent: " + condition).contains("no equivalent: proxy_cache pages");
    }

    @Test
    void locationWithoutCacheHasNoPolicy() throws Exception {
        String written = server(
                ZONE, "proxy_cache pages; location /a { proxy_cache off; " + PASS + " } location / { " + PASS + " }");

        assertThat(written.split("policies: - pages", -1)).hasSize(2);
        assertThat(server("", "location / { proxy_cache missing; " + PASS + " }"))
                .doesNotContain("cache:");
        assertThat(err.toString()).contains("no proxy_cache_path in the file defines this zone");
    }

    // ---- mirrors

    @Test
    void mirrorBecomesAPolicy() throws Exception {
        String written = server(
                "upstream next { server 127.0.0.1:9002; }\n",
                "location / { mirror /copy; mirror_request_body off; " + PASS + " }"
                        + " location = /copy { internal; proxy_pass http://next$request_uri;"
                        + " proxy_pass_request_body off; proxy_set_header Content-Length \"\"; }");

        assertThat(written)
                .contains("mirror-next: mirror: pool: next max_body: 0B")
                .contains("policies: - mirror-next")
                .contains("next: strategy: round-robin backends: - 127.0.0.1:9002");
        assertThat(err.toString())
                .contains("requests with a body are not mirrored")
                .contains("same: mirror /copy")
                .doesNotContain("no equivalent");
    }

    @ParameterizedTest
    @CsvSource({
        "/copy, proxy_pass http://next/v2;, keeps the path of the request",
        "/other, proxy_pass http://next$request_uri;, no location has exactly this path",
        "/copy, return 200;, its location has no proxy_pass",
        "/copy, " + SAME_POOL + ", cannot use the pool that serves the request"
    })
    void otherMirrorsAreReported(String uri, String content, String reason) throws Exception {
        String written = server(
                "upstream next { server 127.0.0.1:9002; }\n",
                "location / { mirror " + uri + "; " + PASS + " } location = /copy { internal; " + content + " }");

        assertThat(written).doesNotContain("mirror:");
        assertThat(err.toString())
                .contains("no equivalent: mirror " + uri + " (")
                .contains(reason);
    }
}
