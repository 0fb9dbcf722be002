package io.ballast.server.command;

import io.ballast.core.ErrorText;
import io.ballast.core.config.HostPort;
import io.ballast.server.demo.DemoBackend;
import io.ballast.server.demo.FreePorts;
import io.ballast.server.process.ServerProcess;
import io.ballast.server.training.TrainingClients;
import io.ballast.server.training.TrainingConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code lb train}: starts a server, sends requests to it, and exits. {@code bin/archive.sh} runs this
 * command to create the class archive that makes later starts faster.
 */
@Command(
        name = "train",
        description =
                "Starts, serves its own requests on free loopback ports, and exits; used to create class archives.",
        hidden = true,
        mixinStandardHelpOptions = true)
public final class TrainCommand implements Callable<Integer> {

    private static final int BACKENDS = 4;
    /**
     * Length of the accept queue of the backend that never accepts connections; longer than the number of connections
     * of a training run.
     */
    private static final int BACKLOG = 1024;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        List<DemoBackend> backends = new ArrayList<>();
        // The kernel completes connections to this backend, but no thread accepts them or reads from them.
        try (ServerSocket stalling = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())) {
            for (int i = 1; i <= BACKENDS; i++) {
                backends.add(DemoBackend.start(i));
            }
            return serveClients(
                    backends.stream().map(DemoBackend::address).toList(),
                    new HostPort(stalling.getInetAddress().getHostAddress(), stalling.getLocalPort()),
                    err);
        } finally {
            backends.forEach(DemoBackend::close);
        }
    }

    private static int serveClients(List<HostPort> backends, HostPort stalling, PrintWriter err)
            throws IOException, InterruptedException {
        // The operating system chooses the ports, because another program may use a fixed port.
        List<Integer> ports = FreePorts.findDistinct(3);
        HostPort http = new HostPort("127.0.0.1", ports.get(0));
        HostPort dns = new HostPort("127.0.0.1", ports.get(1));
        HostPort dashboard = new HostPort("127.0.0.1", ports.get(2));
        Path directory = Files.createTempDirectory("ballast-training");
        Path file = TrainingConfig.write(directory, backends, stalling, http, dns, dashboard);
        CountDownLatch stop = new CountDownLatch(1);
        AtomicBoolean succeeded = new AtomicBoolean();
        Thread clients = new Thread(
                () -> {
                    try {
                        new TrainingClients(http, dns, dashboard).useServices("web.training.test", file);
                        succeeded.set(true);
                    } catch (IOException e) {
                        err.println("lb: " + ErrorText.of(e));
                    } finally {
                        stop.countDown();
                    }
                },
                "training-clients");
        clients.setDaemon(true);
        clients.start();
        try {
            int code = ServerProcess.run(file, /* watch= */ false, err, stop);
            clients.join();
            return code == 0 && !succeeded.get() ? 1 : code;
        } finally {
            deleteDirectory(directory);
        }
    }

    private static void deleteDirectory(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
