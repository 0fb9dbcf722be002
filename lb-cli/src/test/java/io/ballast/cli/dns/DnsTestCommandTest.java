package io.ballast.cli.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.cli.TestedCommands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the command that shows which rule of which list applies to a name. */
class DnsTestCommandTest {

    private static final String CONFIG = """
        dns:
          listeners: [{bind: "127.0.0.1:0"}]
          forward:
            pool: resolvers
            clients: [127.0.0.0/8, 10.0.0.0/8, 198.51.100.0/24]
            routes:
              - {suffix: corp.example, pool: inside}
              - {suffix: cdn.example, pool: inside, client_subnet: true}
            filter:
              lists:
                - {name: ads, file: ads.txt}
                - {name: own, rules: ["@@||good.example^"]}
                - name: conditional
                  rules: ["||chat.example^$client=children", "||v4.example^$dnstype=AAAA", "||search.example^$dnsrewrite=safe.example"]
              exempt: [10.0.0.0/8]
              rewrites: [{name: "*.dev.example", addresses: [192.0.2.8]}]
            groups:
              - {name: children, clients: 127.0.7.0/24, filter: {lists: [own, conditional]}}
        pools:
          resolvers: {backends: ["127.0.0.1:1"]}
          inside: {backends: ["127.0.0.1:2"]}
        data_dir: %s
        """;

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path file;

    @BeforeEach
    void write() throws Exception {
        Files.writeString(directory.resolve("ads.txt"), "# ads\n||ads.example^\n||good.example^\n");
        file = Files.writeString(directory.resolve("lb.yaml"), CONFIG.formatted(directory.resolve("data")));
    }

    @Test
    void reportsBlockingRule() {
        assertThat(test("a.ads.example", "127.0.0.1")).isEqualTo("""
            a.ads.example for 127.0.0.1: blocked
            rule:   ||ads.example^ (list ads, line 2)
            answer: nxdomain
            """);
    }

    @Test
    void usesClientGroupAndOperatorRules() throws Exception {
        Path lists = Files.createDirectories(directory.resolve("data").resolve("dns-lists"));
        Files.writeString(lists.resolve("operator.rules"), "@@||a.example^\n||games.example^\n");

        assertThat(test("a.ads.example", "127.0.7.1")).isEqualTo("""
            a.ads.example for 127.0.7.1: forwarded
            group:  children
            pool:   resolvers
            """);
        assertThat(test("www.games.example", "127.0.7.1")).isEqualTo("""
            www.games.example for 127.0.7.1: blocked
            group:  children
            rule:   ||games.example^ (list operator, line 2)
            answer: nxdomain
            """);
    }

    @Test
    void reportsAllowingRule() {
        assertThat(test("good.example", "127.0.0.1")).isEqualTo("""
            good.example for 127.0.0.1: allowed
            rule:   @@||good.example^ (list own, line 1)
            pool:   resolvers
            """);
    }

    @Test
    void reportsPoolOfRoute() {
        assertThat(test("www.corp.example.", "127.0.0.1")).isEqualTo("""
            www.corp.example. for 127.0.0.1: forwarded
            pool:   inside
            """);
        assertThat(test("ads.example", "10.0.0.1")).startsWith("ads.example for 10.0.0.1: forwarded");
        assertThat(test("x.dev.example", "10.0.0.1")).isEqualTo("""
            x.dev.example for 10.0.0.1: rewritten
            answer: 192.0.2.8
            """);
        assertThat(test("ads.example", "192.0.2.1")).isEqualTo("""
            ads.example for 192.0.2.1: prohibited
            answer: refused
            """);
        assertThat(directory.resolve("data")).as("nothing is written").doesNotExist();
    }

    @Test
    void reportsSentClientSubnet() {
        assertThat(test("www.cdn.example", "198.51.100.77")).isEqualTo("""
            www.cdn.example for 198.51.100.77: forwarded
            pool:   inside
            subnet: 198.51.100.0/24
            """);
        assertThat(test("www.cdn.example", "10.0.0.1")).endsWith("subnet: none\n");
    }

    @Test
    void evaluatesRuleConditions() {
        assertThat(test("chat.example", "127.0.7.1")).isEqualTo("""
            chat.example for 127.0.7.1: blocked
            group:  children
            rule:   ||chat.example^$client=children (list conditional, line 1)
            answer: nxdomain
            """);
        assertThat(test("chat.example", "127.0.0.1")).startsWith("chat.example for 127.0.0.1: forwarded");
        assertThat(test("v4.example", "127.0.0.1")).startsWith("v4.example for 127.0.0.1: forwarded");
        assertThat(test("v4.example", "127.0.0.1", "--type", "aaaa")).isEqualTo("""
            v4.example for 127.0.0.1: blocked
            rule:   ||v4.example^$dnstype=AAAA (list conditional, line 2)
            answer: nxdomain
            """);
        assertThat(test("search.example", "127.0.0.1")).isEqualTo("""
            search.example for 127.0.0.1: rewritten
            rule:   ||search.example^$dnsrewrite=safe.example (list conditional, line 3)
            answer: as safe.example
            """);
        assertThat(run("dns", "test", "a.example", file.toString(), "--type", "NONE-SUCH"))
                .isEqualTo(1);
        assertThat(err.toString()).isEqualToNormalizingNewlines("""
            lb: --type NONE-SUCH: unknown (expected: a record type, such as AAAA)
            """);
    }

    @Test
    void rejectsInvalidName() {
        assertThat(run("dns", "test", "a..b", file.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("a..b").contains("labels of 1 to 63 characters");
    }

    private String test(String name, String from, String... more) {
        out.getBuffer().setLength(0);
        List<String> args = new ArrayList<>(List.of("dns", "test", name, file.toString(), "--from", from));
        args.addAll(List.of(more));
        int code = run(args.toArray(String[]::new));
        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        return out.toString();
    }

    private int run(String... args) {
        return TestedCommands.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }
}
