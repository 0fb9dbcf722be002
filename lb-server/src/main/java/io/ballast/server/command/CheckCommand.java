package io.ballast.server.command;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.AgentFileLoader;
import io.ballast.config.load.ConfigException;
import io.ballast.config.load.ConfigLoader;
import io.ballast.config.load.ConfigReport;
import io.ballast.config.load.LoadedConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.server.compose.ExpiringCertificates;
import io.ballast.server.compose.ReferencedFiles;
import io.ballast.server.compose.RunningConfiguration;
import io.ballast.server.compose.TlsNotes;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lb check}: reports all errors of a configuration file. */
@Command(
        name = "check",
        description =
                "Checks a configuration file, or the file of an agent, without starting anything. Exit code 0: valid; 2: invalid, or there are warnings and"
                        + " --strict is given.",
        mixinStandardHelpOptions = true)
public final class CheckCommand implements Callable<Integer> {

    private static final Path INPUT = Path.of("-");
    private static final Path INPUT_NAME = Path.of("<stdin>");

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The configuration file; - for standard input.")
    private Path file;

    @Option(names = "--explain", description = "Print the file in long form with all defaults; secrets are hidden.")
    private boolean explain;

    @Option(
            names = "--show-secrets",
            description =
                    "With --explain: print secrets as well, so that the output can be used as a configuration file.")
    private boolean showSecrets;

    @Option(names = "--strict", description = "Treat warnings, such as an expired certificate, as errors.")
    private boolean strict;

    @Option(
            names = "--node",
            paramLabel = "NAME",
            description =
                    "Check the file with the keys that it has for this node of the cluster (default: the node of the"
                            + " certificate in the file).")
    private @Nullable String node;

    private final InputStream input;

    /** Creates the command for the command line, with the standard input of the process. */
    CheckCommand() {
        this(System.in);
    }

    CheckCommand(InputStream input) {
        this.input = input;
    }

    @Override
    public Integer call() {
        ConfigReport report = new ConfigReport(spec.commandLine().getErr());
        try {
            ConfigLoader loader = ConfigLoader.ofProcess();
            boolean isInput = file.equals(INPUT);
            if (!isInput && AgentFileLoader.ofProcess().isAgentFile(file)) {
                return new AgentCheck(spec, report).run(file, explain, showSecrets, strict);
            }
            Path name = isInput ? INPUT_NAME : file;
            LoadedConfig loaded = isInput
                    ? loader.load(name.toString(), input, Optional.ofNullable(node))
                    : loader.load(file, Optional.ofNullable(node));
            report.printWarnings(loaded);
            ReferencedFiles files = ReferencedFiles.check(loaded.config());
            report.printWarnings(name, files.warnings());
            if (!files.problems().isEmpty()) {
                return report.printFailure(name, files.problems());
            }
            List<String> expiring = ExpiringCertificates.warnings(loaded.config(), Instant.now());
            report.printWarnings(name, expiring);
            report.printNotes(name, TlsNotes.of(loaded.config()));
            boolean isClean = loaded.warnings().isEmpty() && files.warnings().isEmpty() && expiring.isEmpty();
            if (strict && !isClean) {
                return ConfigException.EXIT_CODE;
            }
            PrintWriter out = spec.commandLine().getOut();
            out.print(
                    explain
                            ? formatExpanded(loaded)
                            : name + ": OK, " + summary(loaded.config()) + System.lineSeparator());
            out.flush();
            return 0;
        } catch (ConfigException e) {
            return report.printFailure(e);
        }
    }

    private String formatExpanded(LoadedConfig loaded) {
        return showSecrets ? loaded.explain() : new RunningConfiguration(loaded::config).yaml();
    }

    private static String summary(BallastConfig config) {
        int backends = config.pools().values().stream()
                .map(PoolConfig::backends)
                .mapToInt(List::size)
                .sum();
        int zones = config.dns().map(dns -> dns.zones().size()).orElse(0);
        return count(config.listeners().size(), "listener") + ", "
                + count(config.pools().size(), "pool") + ", " + count(backends, "backend")
                + (zones == 0 ? "" : ", " + count(zones, "zone"));
    }

    private static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
