package io.ballast.server.command;

import io.ballast.config.load.ConfigException;
import io.ballast.config.load.ConfigLoader;
import io.ballast.config.load.ConfigReport;
import io.ballast.core.ErrorText;
import io.ballast.core.config.HostPort;
import io.ballast.server.compose.Balancer;
import io.ballast.server.demo.DemoBackends;
import io.ballast.server.demo.DemoConfig;
import io.ballast.server.demo.DemoPort;
import io.ballast.server.process.IgnoredSignals;
import io.ballast.server.process.ProcessEnd;
import io.ballast.server.process.ServerProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lb demo}: starts backends, the balancer, DNS and the dashboard for a demonstration. */
@Command(
        name = "demo",
        description = {
            "Starts four small backends, the balancer, DNS and the dashboard, and prints commands to try.",
            "Ports in use are replaced by free ones, unless an option sets them."
        },
        mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {

    private static final int MAX_PORT = 65_535;

    private final CountDownLatch stop;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            description = "Port for HTTP (default: 8000; 0 for any free port).")
    private @Nullable Integer httpPort;

    @Option(
            names = "--dashboard-port",
            paramLabel = "PORT",
            description = "Port of the dashboard (default: 8001; 0 for any free port).")
    private @Nullable Integer dashboardPort;

    @Option(
            names = "--dns-port",
            paramLabel = "PORT",
            description = "Port for DNS (default: 8053; 0 for any free port).")
    private @Nullable Integer dnsPort;

    @Option(
            names = "--backend-port",
            paramLabel = "PORT",
            description = "Port of the first backend; the others follow (default: 9001; 0 for any free ports).")
    private @Nullable Integer backendPort;

    @Spec
    private CommandSpec spec;

    DemoCommand() {
        this(new CountDownLatch(1));
    }

    /** @param stop a latch; the demonstration ends when it is counted down, as after a signal */
    DemoCommand(CountDownLatch stop) {
        this.stop = stop;
    }

    @Override
    public Integer call() throws InterruptedException {
        IgnoredSignals.install();
        try (DemoBackends backends = DemoBackends.start(port(backendPort, "--backend-port", 9001))) {
            return run(backends.addresses());
        } catch (ConfigException e) {
            return new ConfigReport(spec.commandLine().getErr()).printFailure(e);
        } catch (IOException e) {
            spec.commandLine().getErr().println("lb: " + ErrorText.of(e));
            return 1;
        }
    }

    private DemoPort port(@Nullable Integer chosen, String option, int usual) {
        if (chosen == null) {
            return new DemoPort(usual, /* exact= */ false);
        }
        if (chosen < 0 || chosen > MAX_PORT) {
            throw new ParameterException(
                    spec.commandLine(), option + ": " + chosen + " (expected: 0 to " + MAX_PORT + ")");
        }
        return new DemoPort(chosen, /* exact= */ true);
    }

    private int run(List<HostPort> backends) throws ConfigException, IOException, InterruptedException {
        HostPort http = loopback(port(httpPort, "--http-port", 8000));
        HostPort dns = loopback(port(dnsPort, "--dns-port", 8053));
        HostPort dashboard = loopback(port(dashboardPort, "--dashboard-port", 8001));
        Path file = DemoConfig.write(backends, http, dns, dashboard);
        try {
            ProcessEnd end = new ProcessEnd(stop);
            Balancer balancer =
                    Balancer.start(ConfigLoader.ofProcess().load(file).config(), end::onThreadFailure);
            PrintWriter out = spec.commandLine().getOut();
            out.print(DemoConfig.instructions(backends, http, dns, dashboard, file));
            out.flush();
            return ServerProcess.serve(balancer, stop, end);
        } finally {
            DemoConfig.remove(file);
        }
    }

    private static HostPort loopback(DemoPort port) throws IOException {
        return new HostPort("127.0.0.1", port.findFree());
    }
}
