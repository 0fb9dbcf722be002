package io.ballast.cli.dnssec;

import io.ballast.cli.ArgumentOrder;
import io.ballast.cluster.config.ClusterConfig;
import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigException;
import io.ballast.config.load.ConfigLoader;
import io.ballast.config.load.ConfigReport;
import io.ballast.config.load.LoadedConfig;
import io.ballast.core.ErrorText;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.dnssec.key.KeyDirectory;
import io.ballast.dns.dnssec.key.KeyProposals;
import io.ballast.dns.dnssec.key.ManagedKey;
import io.ballast.dns.dnssec.key.Rollover;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Selects the zone whose keys a command shows or changes. */
final class ZoneSelection {

    /** The time for which a command waits for the running process, and then once more for its cluster. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Parameters(
            arity = "1..2",
            paramLabel = "[FILE] ZONE",
            hideParamSyntax = true,
            description = "The configuration file (default: config.yaml), and the name of a signed zone in it.")
    private List<String> arguments = List.of();

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "The configuration file. Use either this option or the argument FILE.")
    private @Nullable Path config;

    /** The operation that a command performs on the keys. */
    interface Action {
        void run(Keys keys, PrintWriter out) throws IOException;
    }

    /**
     * The keys of the selected zone.
     *
     * @param file the path of the configuration as given by the user
     * @param zone the name of the zone, without the final dot
     * @param isShared whether the nodes of a cluster have the same keys
     */
    record Keys(
            Path file, String zone, DnssecConfig config, KeyDirectory directory, Rollover rollover, boolean isShared) {

        /** A step of a rollover. */
        interface Step {
            void take(Rollover rollover) throws IOException;
        }

        private Rollover rolloverOf(KeyDirectory keys) {
            return newRollover(keys, config, isShared);
        }

        static Rollover newRollover(KeyDirectory keys, DnssecConfig config, boolean isShared) {
            return new Rollover(
                    keys, config, Clock.systemUTC(), isShared ? KeyProposals.MAX_PROPAGATION : Duration.ZERO);
        }

        /**
         * Takes a step of a rollover. If the nodes of a cluster share the keys, waits until the cluster has accepted
         * the step.
         */
        void change(Step step) throws IOException {
            if (isShared) {
                new KeyProposals(directory).propose(copy -> step.take(rolloverOf(copy)), Clock.systemUTC(), MAX_WAIT);
            } else {
                step.take(rollover);
            }
        }

        /** Returns all keys for which there are files; at least one. */
        List<ManagedKey> all() throws IOException {
            List<ManagedKey> keys = rollover.keys();
            if (keys.isEmpty()) {
                throw new IOException(directory.path() + ": no keys found; the first start of 'lb run' creates them");
            }
            return keys;
        }

        /** Returns the keys of the zone that are currently published. */
        List<ManagedKey> published() throws IOException {
            Instant now = Instant.now();
            return all().stream().filter(key -> key.state(now).isVisible()).toList();
        }
    }

    /**
     * Runs the action. Returns the exit code: 0 on success, 1 if the action is not possible, 2 if the
     * configuration is invalid or has no such zone.
     */
    int run(Action action) {
        PrintWriter err = spec.commandLine().getErr();
        ConfigReport report = new ConfigReport(err);
        Path file = file();
        String zone = arguments.get(arguments.size() - 1);
        try {
            LoadedConfig loaded = ConfigLoader.ofProcess()
                    .loadInUse(
                            file,
                            reason -> err.println("lb: cannot read the version of the configuration that the cluster"
                                    + " uses: " + reason + "; using " + file));
            report.printWarnings(loaded);
            Optional<Keys> keys = keys(loaded.config(), file, zone);
            if (keys.isEmpty()) {
                err.println("lb: zone '" + zone + "' is not a signed zone (expected: one of "
                        + signedZoneNames(loaded.config()) + ")");
                err.flush();
                return ConfigException.EXIT_CODE;
            }
            PrintWriter out = spec.commandLine().getOut();
            action.run(keys.get(), out);
            out.flush();
            return 0;
        } catch (ConfigException e) {
            return report.printFailure(e);
        } catch (IOException e) {
            err.println("lb: " + ErrorText.of(e));
            err.flush();
            return 1;
        }
    }

    private Path file() {
        if (arguments.size() == 1) {
            return config == null ? Path.of("config.yaml") : config;
        }
        if (config != null) {
            throw new ParameterException(spec.commandLine(), "the configuration file is given twice");
        }
        Path file = Path.of(arguments.get(0));
        ArgumentOrder.check(spec.commandLine(), file, arguments.get(1), spec.qualifiedName() + " FILE ZONE");
        return file;
    }

    private static Optional<Keys> keys(BallastConfig config, Path file, String zone) {
        String name = zone.toLowerCase(Locale.ROOT).replaceFirst("\\.$", "");
        return zones(config).stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .flatMap(found -> found.dnssec().map(dnssec -> {
                    KeyDirectory directory = new KeyDirectory(config.dataDir(), name);
                    boolean isShared =
                            config.cluster().flatMap(ClusterConfig::secretKey).isPresent();
                    Rollover rollover = Keys.newRollover(directory, dnssec, isShared);
                    return new Keys(file, name, dnssec, directory, rollover, isShared);
                }));
    }

    private static String signedZoneNames(BallastConfig config) {
        String names = zones(config).stream()
                .filter(zone -> zone.dnssec().isPresent())
                .map(ZoneConfig::name)
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "the signed zones, but this configuration has none" : names;
    }

    private static List<ZoneConfig> zones(BallastConfig config) {
        return config.dns().map(dns -> dns.zones()).orElse(List.of());
    }
}
