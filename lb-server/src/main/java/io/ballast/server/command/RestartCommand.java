package io.ballast.server.command;

import io.ballast.config.load.ConfigException;
import io.ballast.config.load.ConfigLoader;
import io.ballast.config.load.ConfigReport;
import io.ballast.core.ErrorText;
import io.ballast.server.restart.ControlSocket;
import io.ballast.server.restart.Restarts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lb restart}: makes a running balancer start its successor, and prints the result. */
@Command(
        name = "restart",
        description = "Restarts a running balancer without downtime: a new process takes over its sockets."
                + " Exit code 0: done; 2: refused, the previous process continues; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
public final class RestartCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "CONFIG",
            defaultValue = "config.yaml",
            description =
                    "The configuration file of the balancer; its data_dir contains the control socket (default: config.yaml).")
    private Path file = Path.of("config.yaml");

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "The data_dir of the balancer; the file is not read.")
    private @Nullable Path directory;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            // The configuration file is read only if no directory is given, because it may use environment variables
            // that are set only for the balancer.
            Path where = directory == null
                    ? ConfigLoader.ofProcess()
                            .loadInUse(file, damaged -> {})
                            .config()
                            .dataDir()
                    : directory;
            String answer = requestRestart(where.resolve(ControlSocket.NAME));
            if (answer.startsWith(Restarts.DONE)) {
                out.println("process " + answer.substring(Restarts.DONE.length()) + " has taken over");
                return 0;
            }
            err.println("lb: restart refused; nothing was changed: " + answer.substring(Restarts.REFUSED.length()));
            return ConfigException.EXIT_CODE;
        } catch (ConfigException e) {
            return new ConfigReport(err).printFailure(e);
        } catch (IOException e) {
            err.println("lb: " + ErrorText.of(e));
            return 1;
        } finally {
            out.flush();
            err.flush();
        }
    }

    private static String requestRestart(Path path) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            channel.write(ByteBuffer.wrap((Restarts.REQUEST + "\n").getBytes(StandardCharsets.UTF_8)));
            BufferedReader answers = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            String line = answers.readLine();
            if (line == null || !(line.startsWith(Restarts.DONE) || line.startsWith(Restarts.REFUSED))) {
                throw new IOException(path + ": no answer (expected: a running balancer)");
            }
            return line;
        } catch (IOException e) {
            throw new IOException(
                    path + ": " + ErrorText.of(e) + " (expected: a running balancer with this data_dir)", e);
        }
    }
}
