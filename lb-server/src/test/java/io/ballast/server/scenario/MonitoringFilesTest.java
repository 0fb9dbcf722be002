package io.ballast.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.ballast.config.load.ConfigLoader;
import io.ballast.core.config.TlsFiles;
import io.ballast.net.testing.FreePort;
import io.ballast.net.testing.TestCertificate;
import io.ballast.server.Main;
import io.ballast.server.compose.Balancer;
import io.ballast.server.scenario.PromNames.Condition;
import io.ballast.server.scenario.PromNames.Selector;
import io.ballast.server.scenario.Scrape.Sample;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a running balancer exposes every metric, label and value that the Grafana dashboard and the
 * Prometheus rules name. The meaning of the queries is tested with a real Prometheus in
 * {@code lb-bench/prometheus}.
 */
class MonitoringFilesTest {

    private static final Path DASHBOARD = Path.of("../docker/grafana/ballast.json");
    private static final Path RULES = Path.of("../docker/prometheus/alerts.yaml");
    private static final Path RULE_TESTS = Path.of("../docker/prometheus/alerts.test.yaml");

    /** Metrics that Prometheus generates. */
    private static final Set<String> NOT_OURS = Set.of("up", "ALERTS");

    private static final Set<String> LABELS_OF_A_TARGET = Set.of("job", "instance");
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.+), (\\w+)\\)");
    private static final Pattern LEGEND_LABEL = Pattern.compile("\\{\\{\\s*(\\w+)\\s*}}");
    private static final Pattern TEMPLATE_LABEL = Pattern.compile("\\$labels\\.(\\w+)");

    @TempDir
    private Path directory;

    /**
     * A query and its location.
     *
     * @param labels the labels of its result that are shown
     */
    private record Query(String place, String text, Set<String> labels) {}

    @Test
    void dashboardMetricsAreExposed() throws Exception {
        List<Query> queries = new ArrayList<>();
        JsonNode dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
        for (JsonNode panel : dashboard.path("panels")) {
            for (JsonNode target : panel.path("targets")) {
                queries.add(new Query(
                        panel.path("title").asText(),
                        target.path("expr").asText(),
                        found(LEGEND_LABEL, target.path("legendFormat").asText())));
            }
        }
        for (JsonNode variable : dashboard.at("/templating/list")) {
            Matcher query = LABEL_VALUES.matcher(variable.path("definition").asText());
            if (query.matches()) {
                queries.add(new Query("variable", query.group(1), Set.of(query.group(2))));
            }
        }

        assertThat(queries).hasSizeGreaterThan(40);
        assertExposed(queries);
    }

    @Test
    void ruleMetricsAreExposed() throws Exception {
        List<Query> queries = new ArrayList<>();
        for (JsonNode rule : rules()) {
            queries.add(new Query(
                    rule.path("alert").asText(),
                    rule.path("expr").asText(),
                    found(TEMPLATE_LABEL, rule.path("annotations").toString())));
        }

        assertThat(queries).hasSizeGreaterThan(10);
        assertExposed(queries);
    }

    @Test
    void rulesHavePositiveAndNegativeTests() throws Exception {
        Set<String> firing = new TreeSet<>();
        Set<String> silent = new TreeSet<>();
        for (JsonNode test : new YAMLMapper().readTree(RULE_TESTS.toFile()).path("tests")) {
            for (JsonNode expected : test.path("alert_rule_test")) {
                (expected.path("exp_alerts").isEmpty() ? silent : firing)
                        .add(expected.path("alertname").asText());
            }
        }
        Set<String> rules = new TreeSet<>();
        rules().forEach(rule -> rules.add(rule.path("alert").asText()));

        assertThat(firing).isEqualTo(rules);
        assertThat(silent).isEqualTo(rules);
    }

    @Test
    void documentedAlertsMatchFile() throws Exception {
        String manual = Files.readString(Path.of("../docs/guides/monitoring.md"));

        assertThat(rules())
                .allSatisfy(rule ->
                        assertThat(manual).contains("`" + rule.path("alert").asText() + "`"));
    }

    private static List<JsonNode> rules() throws IOException {
        List<JsonNode> rules = new ArrayList<>();
        new YAMLMapper()
                .readTree(RULES.toFile())
                .path("groups")
                .forEach(group -> group.path("rules").forEach(rules::add));
        return rules;
    }

    private void assertExposed(List<Query> queries) throws Exception {
        Scrape scrape = scrape();
        for (Query query : queries) {
            PromNames names = PromNames.of(query.text());
            assertThat(names.selectors()).as(query.toString()).isNotEmpty();
            names.selectors().forEach(selector -> assertExposed(query, selector, scrape));
            Set<String> labels = labels(names, scrape);
            assertThat(labels).as(query.toString()).containsAll(names.groupings());
            assertThat(isGrouped(query) ? names.groupings() : labels)
                    .as(query.toString())
                    .containsAll(query.labels());
        }
    }

    /** Whether the result of the query has only the labels of its grouping. */
    private static boolean isGrouped(Query query) {
        return query.text().contains(" by (");
    }

    private static void assertExposed(Query query, Selector selector, Scrape scrape) {
        if (NOT_OURS.contains(selector.metric())) {
            return;
        }
        List<Sample> samples = scrape.named(selector.metric());
        assertThat(samples).as("%s in %s", selector.metric(), query).isNotEmpty();
        for (Condition condition : selector.conditions()) {
            if (!LABELS_OF_A_TARGET.contains(condition.label())) {
                assertThat(samples)
                        .as("%s in %s", condition, query)
                        .anySatisfy(sample -> assertThat(sample.labels())
                                .containsKey(condition.label())
                                .satisfies(labels -> assertThat(!condition.isLiteral()
                                                || condition.value().equals(labels.get(condition.label())))
                                        .isTrue()));
            }
        }
    }

    private static Set<String> labels(PromNames names, Scrape scrape) {
        Set<String> labels = new LinkedHashSet<>(LABELS_OF_A_TARGET);
        for (Selector selector : names.selectors()) {
            scrape.named(selector.metric())
                    .forEach(sample -> labels.addAll(sample.labels().keySet()));
        }
        return labels;
    }

    private static Set<String> found(Pattern pattern, String text) {
        Set<String> found = new LinkedHashSet<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    /**
     * Scrapes a balancer that has every kind of object with metrics: a certificate, two pools, DNS, agents, a cluster
     * of one node.
     */
    private Scrape scrape() throws Exception {
        TlsFiles tls = TestCertificate.create().write(directory);
        for (String command : List.of("init edge", "cert n1")) {
            String[] words = ("cluster " + command + " --directory " + directory).split(" ");
            assertThat(Main.commandLine().execute(words)).isZero();
        }
        Path file = Files.writeString(
                directory.resolve("lb.yaml"), """
                listeners:
                  - {name: front, bind: "127.0.0.1:0", pool: web}
                  - {name: secure, bind: "127.0.0.1:0", pool: web, tls: {certificate: "%1$s", key: "%2$s"}}
                pools:
                  web: {backends: ["127.0.0.1:9", "127.0.0.2:9"], health: {type: none}}
                dns:
                  listeners: [{bind: "127.0.0.1:0"}]
                  zones: [{name: example.org, services: [{name: www, pool: web}]}]
                dashboard: {bind: "127.0.0.1:0"}
                agents: {bind: "127.0.0.1:0"}
                cluster:
                  name: edge
                  bind: 127.0.0.1:%3$d
                  voters: [n1]
                  tls: {certificate: %4$s/n1.crt, key: %4$s/n1.key, ca: %4$s/ca.crt}
                data_dir: "%4$s/data"
                """.formatted(tls.certificate(), tls.key(), FreePort.find(), directory));
        try (Balancer balancer =
                Balancer.start(ConfigLoader.ofProcess().load(file).config())) {
            URI metrics = URI.create("http://127.0.0.1:"
                    + balancer.dashboardAddress().orElseThrow().getPort() + "/metrics");
            return Scrape.of(HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                    .body());
        }
    }
}
