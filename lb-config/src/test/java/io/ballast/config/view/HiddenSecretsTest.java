package io.ballast.config.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.form.Forms;
import io.ballast.config.key.Key;
import io.ballast.config.key.SecretType;
import io.ballast.config.load.ConfigLoader;
import io.ballast.config.longform.LongForm;
import io.ballast.config.yaml.YamlWriter;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HiddenSecretsTest {

    /**
     * A configuration with a secret in every place that can hold one. Each secret begins with 5ec or contains s3cret.
     */
    private static final String FILE = """
            listeners:
              - bind: 127.0.0.1:8000
                routes:
                  - match:
                      path: /in
                      headers: {X-Api-Key: s3cret-1, Authorization: {prefix: s3cret-2}, X-Tenant: visible-1}
                      query: {access_token: s3cret-3, page: visible-2}
                      cookies: {sessionid: {regex: s3cret-4}, colour: visible-3}
                    pool: web
                    headers: {request: {set: {Cookie: s3cret-5}, add: {X-Auth-Token: s3cret-6}}}
                  - match: {path: /out}
                    redirect: {to: "https://visible-4.example/?a=visible-5&token=s3cret-8"}
                  - pool: web
                headers:
                  request: {set: {X-Authorization: s3cret-9, X-Plain: visible-6}}
                  response: {add: {Set-Cookie: s3cret-10, X-Other: "Bearer s3cret-11"}}
            pools:
              web:
                strategy:
                  type: sticky
                  cookie: {name: visible-7, keys: [5ec0000000000000000000000000000000000000000000000000000000000001]}
                backends: ["127.0.0.1:9001"]
                headers: {request: {set: {X-Secret: s3cret-12}}}
                health:
                  type: http
                  path: /visible-8?api_key=s3cret-13&deep=visible-9
                  headers: {Authorization: "Basic s3cret-14"}
              redis:
                backends: ["127.0.0.1:9002"]
                health: {type: tcp, send: "AUTH s3cret-15", expect: visible-10}
              program:
                backends: ["127.0.0.1:9003"]
                health: {type: exec, command: [/visible-11, --password, s3cret-16]}
            policies:
              staff:
                basic:
                  users:
                    visible-15: "$argon2id$v=19$m=256,t=2,p=1$5ecAAAAAAAA$5ecAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                    bob: "$2y$10$5ecfuVMtm7UU4HdtxkeZzeZQYJGQcSnNyDlHVYvd4JuqWb7Tb6D9u"
              partners:
                api_keys:
                  keys:
                    - consumer: visible-16
                      key_hash: 5ec6d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a09
            dns:
              listeners: [{bind: "127.0.0.1:5300"}]
              keys: {visible-14: {secret: 5ec00000000000000000000000000003}}
              cookies: {secrets: [5ec00000000000000000000000000002]}
              zones: [{name: example.com, services: [{name: www, pool: web}]}]
            dashboard:
              bind: 127.0.0.1:8001
              users: [{name: visible-12, password_hash: "$2y$10$5ecfuVMtm7UU4HdtxkeZzeZQYJGQcSnNyDlHVYvd4JuqWb7Tb6D9u"}]
              tokens: [{name: visible-13, token_hash: 5ec6d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08}]
            otlp: {endpoint: "http://visible-17:4318", headers: {X-Honeycomb-Team: s3cret-17}}
            """;

    private static final int VISIBLE = 17;

    @Test
    void hidesSecretsOnly() throws Exception {
        Map<String, Object> longForm = Forms.tree(ConfigLoader.ofProcess()
                .load("test.yaml", new ByteArrayInputStream(FILE.getBytes(StandardCharsets.UTF_8)))
                .config());
        String whole = YamlWriter.write(longForm);

        String shown = YamlWriter.write(HiddenSecrets.hideSecrets(longForm));

        assertThat(whole).contains("s3cret-1", "s3cret-16", "5ec0000", "$2y", "5ec6d08");
        assertThat(shown).doesNotContain("s3cret").doesNotContain("5ec");
        for (int i = 1; i <= VISIBLE; i++) {
            assertThat(shown).contains("visible-" + i);
        }
    }

    @Test
    void declaredSecretKeysAreHidden() {
        TreeSet<String> declared = new TreeSet<>();
        TreeSet<String> hidden = new TreeSet<>();
        LongForm.SHAPE.shapes().forEach(shape -> {
            for (Key<?> key : shape.keys()) {
                if (key.type() instanceof SecretType) {
                    declared.add(key.name());
                }
                if (HiddenSecrets.isSecret(key.name())) {
                    hidden.add(key.name());
                }
            }
        });

        assertThat(hidden).containsAll(declared).contains("keys", "secrets", "send", "password_hash", "token_hash");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "token",
                "consul_token",
                "client_secret",
                "password",
                "basic_auth",
                "credentials",
                "api_token",
                "apikey"
            })
    void unknownKeysAreHiddenByTheirWords(String key) {
        Map<String, Object> shown = HiddenSecrets.hideSecrets(Map.of("pools", Map.of("web", Map.of(key, "s3cret"))));

        assertThat(shown.toString()).contains(HiddenSecrets.HIDDEN).doesNotContain("s3cret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x-authtoken",
                "x-sharedsecret",
                "accesstoken",
                "APIToken",
                "JSESSIONID",
                "X-Secret-Path",
                "x-amz-security-token",
                "Ocp-Apim-Subscription-Key",
                "connect.sid",
                "db_pass"
            })
    void userDefinedNamesAreHiddenByTheirContent(String name) {
        for (String place : List.of("headers", "set", "add", "query", "cookies")) {
            assertThat(HiddenSecrets.hideSecrets(Map.of(place, Map.of(name, "s3cret")))
                            .toString())
                    .as(place)
                    .contains(HiddenSecrets.HIDDEN)
                    .doesNotContain("s3cret");
        }
        assertThat(HiddenSecrets.hideSecrets(Map.of("to", "/x?" + name + "=s3cret"))
                        .toString())
                .doesNotContain("s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Bypass", "x-inside", "X-Tenant", "X-Forwarded-Path"})
    void showsOtherHeaders(String name) {
        assertThat(HiddenSecrets.hideSecrets(Map.of("headers", Map.of(name, "visible")))
                        .toString())
                .contains("visible");
    }

    @ParameterizedTest
    @ValueSource(strings = {"token_file", "key", "certificate", "session_lifetime", "path", "hosts"})
    void showsFilePaths(String key) {
        assertThat(HiddenSecrets.hideSecrets(Map.of(key, "/etc/ballast/x")).toString())
                .contains("/etc/ballast/x");
    }

    @ParameterizedTest
    @CsvSource({
        "http://ann:pw@consul:8500/v1, http://(hidden)@consul:8500/v1",
        "https://pw@host, https://(hidden)@host",
        "/x?sig=a&Token=b&c=d, /x?sig=a&Token=(hidden)&c=d",
        "Bearer abc, (hidden)",
        "basic YTpi, (hidden)",
        "0123456789abcdef0123456789abcdef, (hidden)",
        "plain text, plain text",
        "mail@example.com, mail@example.com",
    })
    void textsLoseWhatLooksLikeCredentials(String text, String expected) {
        assertThat(HiddenSecrets.hideSecrets(Map.of("to", List.of(text)))).isEqualTo(Map.of("to", List.of(expected)));
    }

    @Test
    void settingsOfFiltersAreHidden() {
        Map<String, Object> filter = Map.of("jar", "a.jar", "settings", Map.of("limit", "5", "nested", List.of("a")));

        assertThat(HiddenSecrets.hideSecrets(Map.of("filter", filter)))
                .isEqualTo(Map.of(
                        "filter",
                        Map.of(
                                "jar",
                                "a.jar",
                                "settings",
                                Map.of("limit", HiddenSecrets.HIDDEN, "nested", List.of(HiddenSecrets.HIDDEN)))));
    }

    @Test
    void poolNamedLikeSecretIsShown() {
        Map<String, Object> shown =
                HiddenSecrets.hideSecrets(Map.of("pools", Map.of("token", Map.of("strategy", "hash"))));

        assertThat(shown).isEqualTo(Map.of("pools", Map.of("token", Map.of("strategy", "hash"))));
    }
}
