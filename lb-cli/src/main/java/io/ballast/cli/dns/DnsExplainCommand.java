package io.ballast.cli.dns;

import io.ballast.cli.api.ApiOptions;
import io.ballast.cli.api.DashboardApi;
import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigException;
import io.ballast.config.load.ConfigLoader;
import io.ballast.config.load.ConfigReport;
import io.ballast.core.ErrorText;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.geo.GeoSource;
import io.ballast.core.net.Cidr;
import io.ballast.core.pool.Topology;
import io.ballast.core.pool.TopologyBuilder;
import io.ballast.discovery.names.NameResolver;
import io.ballast.discovery.names.SystemLookup;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.ServiceExplanation;
import io.ballast.dns.zone.ZoneInputs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lb dns explain}: explains the answers of a service. */
@Command(
        name = "explain",
        description =
                "Explains the answer of a DNS service: the deciding rule, the candidates with their states, and the TTL."
                        + " With a file, backends are not checked; use --api for the state of a running balancer.",
        mixinStandardHelpOptions = true)
final class DnsExplainCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "The name of the service.")
    private String name;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "FILE",
            description = "The configuration file, if --api is not given.")
    private @Nullable Path file;

    @Option(names = "--type", description = "The record type, such as AAAA, HTTPS or MX (default: A).")
    private String type = "A";

    @Option(
            names = "--from",
            paramLabel = "ADDRESS",
            description = "The address of the client, or its network, such as 198.51.100.0/24.")
    private @Nullable String from;

    @Mixin
    private ApiOptions options = new ApiOptions();

    @Override
    public Integer call() {
        try {
            Optional<Cidr> client = Optional.ofNullable(from).map(Cidr::parseLeniently);
            spec.commandLine().getOut().print(ExplanationText.of(explanation(client)));
            spec.commandLine().getOut().flush();
            return 0;
        } catch (ConfigException e) {
            return new ConfigReport(spec.commandLine().getErr()).printFailure(e);
        } catch (IOException | IllegalArgumentException | NoSuchElementException e) {
            spec.commandLine().getErr().println("lb: " + ErrorText.of(e));
            spec.commandLine().getErr().flush();
            return 1;
        }
    }

    private Map<?, ?> explanation(Optional<Cidr> client) throws ConfigException, IOException {
        Optional<URI> api = options.api();
        if (api.isPresent() && file == null) {
            return ExplainQuery.requestExplanation(DashboardApi.of(options, api.get()), name, type, client)
                    .fields();
        }
        if (file != null && api.isEmpty()) {
            return explain(file, client);
        }
        throw new ParameterException(spec.commandLine(), "specify either FILE or --api");
    }

    private Map<String, Object> explain(Path configuration, Optional<Cidr> client) throws ConfigException, IOException {
        BallastConfig config = ConfigLoader.ofProcess().load(configuration).config();
        DnsConfig dns = config.dns()
                .orElseThrow(() -> new IllegalArgumentException(
                        configuration + ": no DNS frontend is configured (expected: the section dns)"));
        Topology topology = new TopologyBuilder(
                        new NameResolver(SystemLookup.ofProcess(), Runnable::run), 1, Clock.systemUTC())
                .build(config.pools());
        try (ControlPlane control = ControlPlane.start(Clock.systemUTC())) {
            Optional<GeoSource> geo = config.geo().isPresent()
                    ? Optional.of(GeoSource.open(config.geo().get(), control, Runnable::run))
                    : Optional.empty();
            try (CompiledZones zones = CompiledZones.start(withoutKeys(dns), ZoneInputs.of(topology, geo))) {
                return ServiceExplanation.of(zones, name, type, client);
            } finally {
                geo.ifPresent(GeoSource::close);
            }
        }
    }

    /**
     * Returns the configuration without keys. This command does not need the keys, and may lack the permission to read
     * them.
     */
    private static DnsConfig withoutKeys(DnsConfig dns) {
        return new DnsConfig(
                dns.listeners(),
                dns.udp(),
                dns.tcp(),
                dns.zones().stream().map(DnsExplainCommand::withoutKeys).toList());
    }

    private static ZoneConfig withoutKeys(ZoneConfig zone) {
        return new ZoneConfig(
                zone.name(),
                zone.soa(),
                zone.nameServers(),
                zone.nsTtl(),
                zone.file(),
                Optional.empty(),
                zone.services());
    }
}
