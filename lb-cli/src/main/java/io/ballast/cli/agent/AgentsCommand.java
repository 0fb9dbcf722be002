package io.ballast.cli.agent;

import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.DashboardOptions;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code lb agents}: lists, approves and revokes the agents that report to a running balancer. */
@Command(
        name = "agents",
        description =
                "Lists the agents that report backends to a running balancer, and approves or revokes one. Exit code 0:"
                        + " done; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
public final class AgentsCommand implements Callable<Integer> {

    private static final String PATH = "agents";

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Parameters(
            arity = "0..1",
            paramLabel = "CONFIG",
            defaultValue = DashboardOptions.CONFIG,
            description = DashboardOptions.CONFIG_TEXT)
    private Path file = Path.of(DashboardOptions.CONFIG);

    /** The configuration file of the subcommand {@code list}. */
    static final class Config {

        @Parameters(
                index = "0",
                arity = "0..1",
                paramLabel = "CONFIG",
                defaultValue = DashboardOptions.CONFIG,
                description = DashboardOptions.CONFIG_TEXT)
        private Path file = Path.of(DashboardOptions.CONFIG);
    }

    @Command(name = "list", description = "Lists all agents.", mixinStandardHelpOptions = true)
    int list(@Mixin Config config, @Mixin DashboardOptions at) {
        return sendList(at, config.file);
    }

    @Command(name = "show", description = "Shows an agent and its backends.", mixinStandardHelpOptions = true)
    int show(@Mixin Choice choice, @Mixin DashboardOptions at) {
        return send(at, choice, ApiRequest.get(PATH, choice.agent));
    }

    @Command(
            name = "approve",
            description = "Approves an agent for all pools for which it waits, or readmits a revoked one.",
            mixinStandardHelpOptions = true)
    int approve(@Mixin Choice choice, @Mixin DashboardOptions at) {
        return send(at, choice, ApiRequest.post(PATH, choice.agent, "approve").withUser());
    }

    @Command(
            name = "revoke",
            description = "Revokes an agent: removes its backends within a second, and refuses its requests.",
            mixinStandardHelpOptions = true)
    int revoke(@Mixin Choice choice, @Mixin DashboardOptions at) {
        return send(at, choice, ApiRequest.post(PATH, choice.agent, "revoke").withUser());
    }

    /** The agent of a subcommand. */
    static final class Choice {

        @Parameters(index = "0", paramLabel = "AGENT", description = "The id of the agent.")
        private String agent = "";

        @Parameters(
                index = "1",
                arity = "0..1",
                paramLabel = "CONFIG",
                defaultValue = DashboardOptions.CONFIG,
                description = DashboardOptions.CONFIG_TEXT)
        private Path file = Path.of(DashboardOptions.CONFIG);
    }

    private static int send(DashboardOptions at, Choice choice, ApiRequest request) {
        return at.send(
                choice.file, request, (agent, out) -> AgentText.ofOne(agent).forEach(out::println));
    }

    private static int sendList(DashboardOptions at, Path file) {
        return at.send(
                file,
                ApiRequest.get(PATH).with("limit", AgentText.MAX),
                (list, out) -> AgentText.ofAll(list).forEach(out::println));
    }

    @Override
    public Integer call() {
        return sendList(dashboard, file);
    }
}
