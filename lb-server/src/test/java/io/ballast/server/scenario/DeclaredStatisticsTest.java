package io.ballast.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ballast.core.backend.BackendStatistics;
import io.ballast.core.pool.PoolStatistics;
import io.ballast.core.stats.Statistic;
import io.ballast.dns.report.ForwardingStatistics;
import io.ballast.dns.report.QueryStatistics;
import io.ballast.http.exchange.ListenerStatistics;
import io.ballast.http.policy.PolicyStatistics;
import io.ballast.server.compose.StartedBalancer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a running balancer shows the declared statistics in their order, with current values. */
class DeclaredStatisticsTest {

    @TempDir
    private Path directory;

    private StartedBalancer running;

    @BeforeEach
    void start() throws Exception {
        running = StartedBalancer.start(directory, """
                policies: {pack: {compress: {level: 5}}}
                listeners: [{name: front, bind: "127.0.0.1:0", policies: [pack], pool: web}]
                pools:
                  web: {backends: ["127.0.0.1:9"], health: {type: none}}
                  resolvers: {backends: ["127.0.0.1:1"], health: {type: none}}
                dns:
                  listeners: [{bind: "127.0.0.1:0"}]
                  zones: [{name: example.org, services: [{name: www, pool: web}]}]
                  forward: {pool: resolvers}
                dashboard: {bind: "127.0.0.1:0"}
                data_dir: "%s"
                """.formatted(directory.resolve("data")));
    }

    @AfterEach
    void stop() {
        running.close();
    }

    @Test
    void metricsHaveTheDeclaredOrder() throws Exception {
        List<String> declared = Stream.of(
                        PoolStatistics.ALL,
                        BackendStatistics.ALL,
                        ListenerStatistics.ALL,
                        PolicyStatistics.ALL,
                        QueryStatistics.ALL,
                        ForwardingStatistics.ALL)
                .flatMap(List::stream)
                .map(statistic -> statistic.metric().exposedName())
                .toList();

        List<String> exposed = metrics()
                .lines()
                .filter(line -> line.startsWith("# TYPE "))
                .map(line -> line.split(" ")[2])
                .filter(declared::contains)
                .toList();

        assertThat(exposed).isEqualTo(declared);
    }

    @Test
    void fieldsHaveTheDeclaredOrder() throws Exception {
        JsonNode stats = new ObjectMapper().readTree(running.stats());

        assertThat(names(stats.at("/pools/0"))).containsSubsequence(fields(PoolStatistics.ALL));
        assertThat(names(stats.at("/backends/0"))).containsSubsequence(fields(BackendStatistics.ALL));
        assertThat(names(stats.at("/listeners/0"))).containsSubsequence(fields(ListenerStatistics.ALL));
        assertThat(names(stats.at("/policies/0"))).containsSubsequence(fields(PolicyStatistics.ALL));
        assertThat(names(stats.at("/dns")))
                .containsSubsequence(fields(QueryStatistics.ALL))
                .containsSubsequence(fields(ForwardingStatistics.ALL));
    }

    @Test
    void countersOfZonesAndServicesAreReadAtEachScrape() throws Exception {
        running.dnsAnswers();
        awaitQueries(1);

        running.dnsAnswers();

        awaitQueries(2);
    }

    /** Waits for the counters: the thread that answers may update them after it has sent the response. */
    private void awaitQueries(int number) throws Exception {
        StartedBalancer.await(() -> queries("ballast_dns_zone_queries_total", "outcome", "noerror") == number
                && queries("ballast_dns_service_queries_total", "service", "www.example.org") == number);
    }

    private double queries(String metric, String label, String value) throws Exception {
        return Scrape.of(metrics()).named(metric).stream()
                .filter(sample -> value.equals(sample.labels().get(label)))
                .mapToDouble(Scrape.Sample::value)
                .sum();
    }

    private String metrics() throws Exception {
        return running.request(running.dashboard(), "GET", "/metrics").body();
    }

    private static <S> List<String> fields(List<Statistic<S>> statistics) {
        return statistics.stream()
                .map(Statistic::field)
                .filter(field -> !field.isEmpty())
                .toList();
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
