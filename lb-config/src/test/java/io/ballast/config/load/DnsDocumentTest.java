package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.geo.GeoSource;
import io.ballast.core.pool.Topology;
import io.ballast.core.pool.TopologyBuilder;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.ZoneInputs;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the examples in docs/dns.md, and config/gslb.yaml, can be used without changes. */
class DnsDocumentTest {

    private static final Pattern EXAMPLE = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL);

    private static final String AROUND = """
            geo:
              regions: {eu: {cidrs: [192.0.2.0/24]}, us: {}}
              default_region: eu
            pools:
              eu: {backends: ["192.0.2.1:443"]}
              us-east: {backends: ["192.0.2.2:443"]}
              us-west: {backends: ["192.0.2.3:443"]}
            dns:
              listeners: [{bind: "127.0.0.1:5353"}]
              forward: eu
              zones:
                - name: example.com
            """;

    @TempDir
    private Path directory;

    static List<String> examples() throws IOException {
        String document = ConfigFiles.text(ConfigFiles.ROOT.resolve("docs/dns.md"));
        List<String> examples = EXAMPLE.matcher(document)
                .results()
                .map(result -> AROUND + result.group(1).indent(6))
                .toList();
        assertThat(examples).hasSize(7);
        return examples;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void servesExamples(String example) throws Exception {
        assertServes(Files.writeString(directory.resolve("example.yaml"), example));
    }

    @ParameterizedTest
    @MethodSource("wholeFile")
    void servesCompleteExample(Path file) throws Exception {
        assertServes(file);
    }

    static List<Path> wholeFile() {
        return List.of(ConfigFiles.EXAMPLES.resolve("gslb.yaml"));
    }

    private static void assertServes(Path file) throws Exception {
        BallastConfig config = ConfigFiles.loader().load(file).config();
        DnsConfig dns = config.dns().orElseThrow();
        Topology topology = new TopologyBuilder(
                        address -> new InetSocketAddress(address.host(), address.port()), 1, Clock.systemUTC())
                .build(config.pools());
        try (ControlPlane control = ControlPlane.start(Clock.systemUTC());
                GeoSource geo = GeoSource.open(config.geo().orElseThrow(), control, Runnable::run);
                CompiledZones zones = CompiledZones.start(dns, ZoneInputs.of(topology, Optional.of(geo)))) {
            assertThat(zones.published().current()).isNotNull();
        }
    }
}
