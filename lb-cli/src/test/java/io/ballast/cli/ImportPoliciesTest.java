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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the import of directives of HAProxy and nginx that become policies. */
class ImportPoliciesTest {

    private static final String BCRYPT = "$2y$05$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC";
    private static final String MD5 = "$apr1$0123$abcdefghijklmnopqrstuv";

    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @Test
    void nginxLimitsHaveTheSameBurstAndDelay() throws Exception {
        String zones = """
                limit_req_zone $binary_remote_addr zone=one:10m rate=10r/s;
                limit_req_zone $binary_remote_addr$uri zone=two:10m rate=30r/m;
                limit_req_zone $http_x_key zone=three:1m rate=5r/s;
                limit_conn_zone $binary_remote_addr zone=addr:10m;
                limit_req_status 429;
                limit_conn_status 429;
                """;
        String written = nginx(zones, """
                location /nodelay { limit_req zone=one burst=20 nodelay; limit_conn addr 8; %1$s }
                location /wait { limit_req zone=one burst=20; %1$s }
                location /both { limit_req zone=one burst=20 delay=8; %1$s }
                location /two { limit_req zone=two burst=100; limit_req zone=three; limit_req_dry_run on; %1$s }
                """);

        assertThat(flat(written))
                .contains("one: rate_limit: rate: 10/s burst: 21 ipv6_prefix: 128 ")
                .contains("one-2: rate_limit: rate: 10/s burst: 1 delay: 2s ipv6_prefix: 128 ")
                .contains("one-3: rate_limit: rate: 10/s burst: 9 delay: 1s200ms ipv6_prefix: 128 ")
                .contains("addr: concurrency: limit: 8 ipv6_prefix: 128 ")
                .contains("two: rate_limit: rate: 30/m burst: 1 delay: 1m key: - client - path ipv6_prefix: 128"
                        + " dry_run: true ")
                .contains("three: rate_limit: rate: 5/s burst: 1 key: - header: x-key missing: skip dry_run: true ");
        assertThat(err.toString())
                .contains(
                        "changed: limit_req zone=one burst=20 (limits of this zone with other parameters count separately")
                .contains("requests are delayed by at most 1m")
                .doesNotContain("get 429 instead");
    }

    @Test
    void nginxStatusOfLimitsIsReported() throws Exception {
        nginx("limit_req_zone $binary_remote_addr zone=one:10m rate=10r/s;\n", "location / { limit_req zone=one; %s }");
        assertThat(err.toString()).contains("refused requests get 429 instead of 503");

        nginx("limit_req_zone $limit zone=one:10m rate=10r/s;\n", "location / { limit_req zone=one; %s }");
        assertThat(err.toString()).contains("no equivalent: limit_req zone=one");
    }

    @Test
    void nginxUsersWithAcceptedHashesBecomeAPolicy() throws Exception {
        Path users = Files.writeString(directory.resolve("users"), "ann:" + BCRYPT + "\n");
        String location = "location / { auth_basic \"Staff only\"; auth_basic_user_file " + users + "; %s }\n"
                + "location /open { auth_basic off; %1$s }\n";

        String written = nginx("", location);

        assertThat(flat(written))
                .contains("users: basic: users_file: " + users + " realm: Staff only forward_credentials: true ")
                .contains("path_regex: /open.* pool: ");
        assertThat(err.toString()).contains(": same: auth_basic Staff only");
    }

    @Test
    void locationsWithOtherHashesAreClosed() throws Exception {
        Path users = Files.writeString(directory.resolve("users"), "# comment\nbob:" + MD5 + "\n");
        String location = "location / { auth_basic Staff; auth_basic_user_file %s; proxy_pass http://127.0.0.1:9001; }";

        String written = nginx("", location.formatted(users));
        assertThat(flat(written)).contains("policies: - closed pool: ").contains("closed: ip: deny: all");
        assertThat(err.toString())
                .contains(users + ":2: only bcrypt and argon2id hashes are accepted; create new ones with htpasswd -B")
                .doesNotContain(MD5);

        assertThat(flat(nginx("", location.formatted(directory.resolve("absent")))))
                .contains("policies: - closed pool: ");
    }

    @Test
    void authenticationRequestBecomesForwardAuth() throws Exception {
        String written = nginx("upstream sso { server 127.0.0.1:4180; }\n", """
                location / {
                  auth_request /auth;
                  auth_request_set $user $upstream_http_x_user;
                  auth_request_set $mail $upstream_http_x_mail;
                  proxy_set_header X-User $user;
                  proxy_set_header X-Address $mail;
                  %s
                }
                location = /auth { internal; proxy_pass http://sso/oauth2/auth; }
                """);

        assertThat(flat(written))
                .contains("auth: forward_auth: address: http://127.0.0.1:4180/oauth2/auth copy_headers: - X-User ")
                .contains("path_exact: /auth respond: status: 404 ")
                .contains("remove: - X-Address ");
        assertThat(err.toString())
                .contains(": same: proxy_set_header X-User $user")
                .contains(
                        "no equivalent: auth_request_set $mail $upstream_http_x_mail (copy_headers cannot rename a header")
                .contains("no equivalent: proxy_set_header X-Address $mail");
    }

    @Test
    void namedLocationKeepsTheRulesOfItsLocation() throws Exception {
        String written = nginx("", """
                location / { allow 10.0.0.0/8; deny all; auth_request /absent; try_files $uri @app; }
                location @app { %s }
                """);

        assertThat(flat(written)).contains("policies: - addresses - closed pool: ");
    }

    @Test
    void otherAuthenticationIsClosed() throws Exception {
        assertThat(flat(nginx("", "location / { auth_request /absent; %s }"))).contains("policies: - closed ");
        assertThat(flat(nginx("", "location / { auth_jwt realm; auth_jwt_key_file keys; %s }")))
                .contains("policies: - closed ");
    }

    @Test
    void nginxCompressionAndExpiry() throws Exception {
        String written = nginx(
                "gzip on; gzip_types application/json text/html *; gzip_min_length 1k; gzip_comp_level 5; gzip_vary on;"
                        + " gzip_proxied any;\n",
                "location / { expires 1d; %s } location /raw { gzip off; expires -1; %1$s }");

        assertThat(flat(written))
                .contains("compress: compress: types: - text/html - application/json level: 5 min_size: 1KiB ")
                .contains("Cache-Control: max-age=86400 ")
                .contains("Cache-Control: no-cache ");
        assertThat(err.toString()).contains(": same: gzip on").contains("unsupported media type, ignored: *");
    }

    @Test
    void haproxyRateOfTrackedClientsBecomesALimit() throws Exception {
        String written = haproxy("", """
                  stick-table type ipv6 size 1m expire 30s store http_req_rate(10s)
                  http-request track-sc0 src
                  http-request track-sc1 req.hdr(X-Key) table keys
                  http-request tarpit deny_status 429 if { sc_http_req_rate(0) gt 100 } !{ src 10.0.0.0/8 }
                  http-request deny if { path_beg /api/ } { sc1_http_req_rate ge 6 }
                """, "backend keys\n  stick-table type string size 1k store http_req_rate(1m)\n");

        assertThat(flat(written))
                .contains("rate: rate_limit: rate: 100/10s keys: 1048576 ipv6_prefix: 128 exempt: - 10.0.0.0/8 ")
                .contains("rate-2: rate_limit: rate: 5/60s keys: 1024 key: - header: X-Key missing: skip ")
                .contains("path: /api policies: - rate-2 pool: b ");
        assertThat(err.toString())
                .contains(": same: stick-table type ipv6")
                .contains(": same: http-request track-sc0 src")
                .contains("requests are refused immediately")
                .contains("only requests that match the other conditions of the rule are counted");
    }

    @Test
    void haproxyUsersBecomeAPolicy() throws Exception {
        String users = "userlist staff\n  user ann password %s\n  user bob insecure-password secret\n";

        String written =
                haproxy(users.formatted(BCRYPT), "http-request auth realm Staff unless { http_auth(staff) }", "");
        assertThat(flat(written))
                .contains("users: basic: users: ann: " + BCRYPT + " realm: Staff forward_credentials: true ")
                .doesNotContain("bob", "secret");
        assertThat(err.toString())
                .contains("no equivalent: user bob insecure-password *** (ignored: only bcrypt")
                .doesNotContain("secret");

        written =
                haproxy(users.formatted("$5$salt$hash"), "http-request auth if { path /x } !{ http_auth(staff) }", "");
        assertThat(flat(written)).contains("closed: ip: deny: all").contains("path_exact: /x policies: - closed ");
        assertThat(flat(haproxy("", "http-request auth unless { http_auth_group(staff) admins }", "")))
                .contains("policies: - closed ");
    }

    @Test
    void haproxyRulesOfBackendsBecomePoliciesOfPools() throws Exception {
        String rules = "  http-request auth unless { http_auth(staff) }\n  http-request deny if { src 192.0.2.1 }\n";

        String written = haproxy("userlist staff\n  user ann password " + BCRYPT + "\n", "", rules);
        assertThat(flat(written)).contains("policies: - users - addresses ").contains("realm: b ");

        written = haproxy("", "", "  http-request auth if { ssl_fc } !{ http_auth(staff) }\n");
        assertThat(flat(written)).contains("policies: - closed ");
        assertThat(err.toString())
                .contains(
                        "the result of the condition differs between the listeners of this section; until it is replaced");
    }

    @Test
    void haproxyAddressesBecomeAPolicy() throws Exception {
        Path file = Files.writeString(directory.resolve("blocked"), "# bad\n192.0.2.0/24\n");

        assertThat(flat(haproxy("", "http-request deny if { src 192.0.2.7/24 2001:db8::1 }", "")))
                .contains("addresses: ip: deny: - 192.0.2.0/24 - 2001:db8::1/128 ");
        assertThat(flat(haproxy("", "http-request deny unless { src -f " + file + " } ", "")))
                .contains("addresses: ip: allow: - file: " + file + " deny: all");
        assertThat(flat(haproxy(
                        "",
                        "acl bad src 10.0.0.0/8\nacl bad src -f " + file + "\nhttp-request deny if { path /x } bad",
                        "")))
                .contains("path_exact: /x policies: - addresses pool: b ");
        Files.writeString(file, "example.com\n");
        haproxy("", "http-request deny if { src -f " + file + " } ", "");
        assertThat(err.toString()).contains("the list cannot be used: " + file + ":1: ");
    }

    /**
     * Such a rule becomes a policy that refuses all requests. If it were omitted, requests would need no
     * authentication.
     */
    @ParameterizedTest
    @ValueSource(strings = {"dst_port gt 1024", "dst_port 8000:8999", "dst_port -f ports.lst", "ssl_fc -m bool"})
    void haproxyRulesWithUnknownComparisonsAreClosed(String condition) throws Exception {
        String users = "userlist staff\n  user ann password " + BCRYPT + "\n";

        String written = haproxy(users, "http-request auth if !{ http_auth(staff) } { " + condition + " }", "");

        assertThat(flat(written)).contains("closed");
    }

    @Test
    void haproxyCompressionBecomesAPolicy() throws Exception {
        assertThat(flat(haproxy("", "compression algo gzip\ncompression type text/html text/css", "")))
                .contains("compress: compress: types: - text/html - text/css level: 1 min_size: 0B ");
    }

    private String nginx(String http, String locations) throws Exception {
        String pass = "proxy_pass http://127.0.0.1:9001; proxy_set_header Host $host;";
        return written("nginx", http + "server { listen 8080;\n" + locations.formatted(pass) + "}\n");
    }

    private String haproxy(String before, String rules, String after) throws Exception {
        return written(
                "haproxy",
                before + "defaults\n  mode http\nfrontend f\n  bind 127.0.0.1:8080\n" + rules
                        + "\n  default_backend b\nbackend b\n  server s1 127.0.0.1:9001\n" + after);
    }

    /** Returns the configuration written for a file; Ballast's reader accepts it. */
    private String written(String grammar, String text) throws Exception {
        StringWriter out = new StringWriter();
        Path file = Files.writeString(Files.createTempFile(directory, "foreign", ".cfg"), text);
        int code = TestedCommands.commandLine()
                .setOut(new PrintWriter(out, /* autoFlush= */ true))
                .setErr(new PrintWriter(err, /* autoFlush= */ true))
                .execute("import", grammar, file.toString());
        assertThat(code).as(err.toString()).isIn(0, 3);
        LoadedConfig loaded = new ConfigLoader(name -> "1")
                .load("written", new ByteArrayInputStream(out.toString().getBytes(StandardCharsets.UTF_8)));
        assertThat(loaded.config().listeners()).isNotEmpty();
        return out.toString();
    }

    /** Returns YAML in one line, without quotes. */
    private static String flat(String yaml) throws IOException {
        return yaml.replace("\"", "").replaceAll("\\s+", " ");
    }
}
