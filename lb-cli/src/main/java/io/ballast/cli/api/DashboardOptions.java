package io.ballast.cli.api;

import static java.util.Objects.requireNonNull;

import io.ballast.config.load.ConfigException;
import io.ballast.config.load.ConfigReport;
import io.ballast.core.ErrorText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A mixin with the options for the connection to the dashboard of a running balancer, and with exit codes. */
public final class DashboardOptions {

    /** The exit code if a change applies to one node, and the cluster has not committed it yet. */
    public static final int PENDING = 3;

    /** The configuration file with the address of the dashboard, used without {@code --api}. */
    public static final String CONFIG = "config.yaml";

    public static final String CONFIG_TEXT =
            "The configuration file with the address of the dashboard, used without --api (default:"
                    + " config.yaml; http://127.0.0.1:8001 if there is no such file).";

    /** The part of a refusal that names the query parameter behind {@link #CONFIRM_OPTION}. */
    private static final String CONFIRM_PARAMETER = "confirm=true";

    private static final String CONFIRM_OPTION = "--yes";

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Mixin
    private ApiOptions options = new ApiOptions();

    @FunctionalInterface
    public interface DashboardCall {

        /** @return the exit code */
        public int sendRequests(DashboardApi dashboard, PrintWriter out, PrintWriter err) throws IOException;
    }

    /**
     * Sends a request to the dashboard, and prints its result or the reason for a refusal.
     *
     * @param file the configuration with the dashboard's address, used without {@code --api}
     * @param result prints the document in the response
     * @return 0 if done; {@link #PENDING} if the cluster has not committed the change yet; 2 if the file is invalid or
     *     the request is refused; 1 if there is no response
     */
    public int send(Path file, ApiRequest request, BiConsumer<ApiObject, PrintWriter> result) {
        return runWithDashboard(file, (api, out, err) -> {
            DashboardApi.Answer answer = api.send(request);
            if (!answer.isOk() && !answer.isPending()) {
                err.println("lb: " + explain(answer.detail()));
                return exitCode(answer.status());
            }
            result.accept(new ApiObject(answer.body()), out);
            return appliedCode(answer, out);
        });
    }

    /** Adds the option of the command that confirms the request, if the dashboard requires a confirmation. */
    private String explain(String detail) {
        boolean confirms =
                detail.contains(CONFIRM_PARAMETER) && requireNonNull(command).findOption(CONFIRM_OPTION) != null;
        return confirms ? detail + " (with lb: " + CONFIRM_OPTION + ")" : detail;
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
            return exitCode(e.status());
        } catch (IOException | IllegalArgumentException e) {
            err.println("lb: " + ErrorText.of(e));
            return 1;
        } finally {
            out.flush();
            err.flush();
        }
    }

    /** Returns the exit code of a change that the balancer has applied. If the change is pending, prints a message. */
    private static int appliedCode(DashboardApi.Answer answer, PrintWriter out) {
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
    private static int exitCode(int status) {
        return status >= 400 && status < 500 ? ConfigException.EXIT_CODE : 1;
    }
}
