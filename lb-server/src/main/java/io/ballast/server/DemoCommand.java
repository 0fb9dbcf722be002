package io.ballast.server;

import io.ballast.core.config.HostPort;
import io.ballast.server.config.ConfigException;
import io.ballast.server.config.ConfigLoader;
import io.ballast.server.demo.DemoBackend;
import io.ballast.server.demo.DemoConfig;
import io.ballast.server.demo.Ports;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lb demo}: everything at once, to look at. */
@Command(
        name = "demo",
        description = "Starts four small backends, the balancer, DNS and the dashboard, and says what to try.",
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {

    private static final int BACKENDS = 4;

    private final CountDownLatch stop;

    @Spec
    private CommandSpec spec;

    DemoCommand() {
        this(new CountDownLatch(1));
    }

    /** @param stop ends the demonstration when it is counted down, as a signal does */
    DemoCommand(CountDownLatch stop) {
        this.stop = stop;
    }

    @Override
    public Integer call() throws InterruptedException {
        IgnoredSignals.install();
        List<DemoBackend> backends = new ArrayList<>();
        try {
            for (int i = 1; i <= BACKENDS; i++) {
                backends.add(DemoBackend.start(i));
            }
            return run(backends.stream().map(DemoBackend::address).toList());
        } catch (ConfigException e) {
            return new ConfigReport(spec.commandLine().getErr()).failure(e);
        } catch (IOException e) {
            spec.commandLine().getErr().println("lb: " + e.getMessage());
            return 1;
        } finally {
            backends.forEach(DemoBackend::close);
        }
    }

    private int run(List<HostPort> backends) throws ConfigException, IOException, InterruptedException {
        HostPort http = loopback(8000);
        HostPort dns = loopback(8053);
        HostPort dashboard = loopback(8001);
        Path file = DemoConfig.write(backends, http, dns, dashboard);
        try {
            ProcessEnd end = new ProcessEnd(stop);
            Balancer balancer =
                    Balancer.start(ConfigLoader.ofProcess().load(file).config(), end::died);
            PrintWriter out = spec.commandLine().getOut();
            out.print(DemoConfig.invitation(backends, http, dns, dashboard, file));
            out.flush();
            return Serving.serve(balancer, stop, end);
        } finally {
            DemoConfig.remove(file);
        }
    }

    private static HostPort loopback(int preferredPort) throws IOException {
        return new HostPort("127.0.0.1", Ports.free(preferredPort));
    }
}
