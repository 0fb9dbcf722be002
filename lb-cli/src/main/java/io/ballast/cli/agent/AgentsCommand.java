package io.ballast.cli.agent;

import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.ConfigArgument;
import io.ballast.cli.api.DashboardOptions;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lb agents}: lists, approves and revokes the agents that report to a running balancer. */
@Command(
        name = "agents",
        description =
                "Lists the agents that report backends to a running balancer, and approves or revokes one. Exit code 0:"
                        + " done; 2: refused; 3: not committed by the cluster yet; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
public final class AgentsCommand implements Callable<Integer> {

    private static final String PATH = "agents";

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Mixin
    private ConfigArgument arguments = new ConfigArgument();

    @Command(name = "list", description = "Lists all agents.", mixinStandardHelpOptions = true)
    int list(@Mixin ConfigArgument all, @Mixin DashboardOptions at) {
        return sendList(at, all.file());
    }

    @Command(name = "show", description = "Shows an agent and its backends.", mixinStandardHelpOptions = true)
    int show(@Mixin ItemArguments agent, @Mixin DashboardOptions at) {
        return send(at, agent, ApiRequest.get(PATH, agent.name()));
    }

    @Command(
            name = "approve",
            description =
                    "Approves an agent for all pools for which it waits, or readmits a revoked one; in a cluster on all nodes.",
            mixinStandardHelpOptions = true)
    int approve(@Mixin ItemArguments agent, @Mixin DashboardOptions at) {
        return send(at, agent, ApiRequest.post(PATH, agent.name(), "approve").withUser());
    }

    @Command(
            name = "revoke",
            description = "Revokes an agent: removes its backends within a second, and refuses its requests; in a"
                    + " cluster on all nodes.",
            mixinStandardHelpOptions = true)
    int revoke(@Mixin ItemArguments agent, @Mixin DashboardOptions at) {
        return send(at, agent, ApiRequest.post(PATH, agent.name(), "revoke").withUser());
    }

    private static int send(DashboardOptions at, ItemArguments agent, ApiRequest request) {
        return at.send(
                agent.file(), request, (found, out) -> AgentText.ofOne(found).forEach(out::println));
    }

    private static int sendList(DashboardOptions at, Path file) {
        return at.send(
                file,
                ApiRequest.get(PATH).with("limit", AgentText.MAX),
                (list, out) -> AgentText.ofAll(list).forEach(out::println));
    }

    @Override
    public Integer call() {
        return sendList(dashboard, arguments.file());
    }
}
