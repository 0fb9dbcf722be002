package io.ballast.cli.api;

import io.ballast.config.load.ConfigException;
import io.ballast.config.load.ConfigReport;
import io.ballast.core.ErrorText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The options with which a command reaches the dashboard of a running balancer, and its exit codes. A mixin.
 */
public final class DashboardOptions {

    /** The exit code if a change applies to one node, and the cluster has not committed it yet. */
    public static final int PENDING = 3;

    /** The configuration file with the address of the dashboard, used without {@code --api}. */
    public static final String CONFIG = "config.yaml";

    public static final String CONFIG_TEXT =
            "The configuration file with the address of the dashboard, used without --api (default:"
                    + " config.yaml; http://127.0.0.1:8001 if there is no such file).";

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Mixin
    private ApiOptions options = new ApiOptions();

    @FunctionalInterface
    public interface DashboardCall {

        /** @return the exit code */
        public int sendRequests(DashboardApi dashboard, PrintWriter out, PrintWriter err) throws IOException;
    }

    /** Thrown if the dashboard answers with an error. */
    public static final class RefusedException extends IOException {

        private static final long serialVersionUID = 1;

        private final int status;

        public RefusedException(String message, int status) {
            super(message);
            this.status = status;
        }
    }

    /**
     * Sends requests to the dashboard, and prints failures.
     *
     * @param file the configuration with the dashboard's address, used without {@code --api}
     * @return the result of {@code call}; 2 if the file is invalid or the request is refused; 1 if there is no response
     */
    public int runWithDashboard(Path file, DashboardCall call) {
        if (command == null) {
            throw new IllegalStateException("the command that uses this mixin is not set");
        }
        PrintWriter out = command.commandLine().getOut();
        PrintWriter err = command.commandLine().getErr();
        if (hasParentArguments(command)) {
            err.println("lb: --api and CONFIG must follow '" + command.name() + "', not precede it");
            err.flush();
            return ConfigException.EXIT_CODE;
        }
        try {
            return call.sendRequests(DashboardApi.of(options, file), out, err);
        } catch (ConfigException e) {
            return new ConfigReport(err).printFailure(e);
        } catch (RefusedException e) {
            err.println("lb: " + ErrorText.of(e));
            return exitCode(e.status);
        } catch (IOException | IllegalArgumentException e) {
            err.println("lb: " + ErrorText.of(e));
            return 1;
        } finally {
            out.flush();
            err.flush();
        }
    }

    /** Prints that a change is pending, if it is, and returns the exit code of a change that the balancer has applied. */
    public static int appliedCode(DashboardApi.Answer answer, PrintWriter out) {
        if (!answer.isPending()) {
            return 0;
        }
        out.println(
                "pending: applied by this node only; the cluster commits it when a majority of its voters is connected");
        return PENDING;
    }

    /** Detects an option that was given to the parent command, where it would be ignored. */
    private static boolean hasParentArguments(CommandSpec command) {
        CommandSpec above = command.parent();
        return above != null
                && !above.commandLine().getParseResult().matchedArgs().isEmpty();
    }

    /**
     * The exit code for a status other than 200: 2 if the dashboard refuses the request, 1 for any other status.
     */
    public static int exitCode(int status) {
        return status >= 400 && status < 500 ? ConfigException.EXIT_CODE : 1;
    }
}
