package io.ballast.server;

import io.ballast.cli.AcmeCommand;
import io.ballast.cli.CacheCommand;
import io.ballast.cli.CompletionCommand;
import io.ballast.cli.ImportCommand;
import io.ballast.cli.PasswordCommand;
import io.ballast.cli.ReloadCommand;
import io.ballast.cli.TokenCommand;
import io.ballast.cli.agent.AgentsCommand;
import io.ballast.cli.agent.TokensCommand;
import io.ballast.cli.cluster.ClusterCommand;
import io.ballast.cli.dns.DnsCommand;
import io.ballast.cli.dnssec.DnssecCommand;
import io.ballast.cli.override.ExplainCommand;
import io.ballast.cli.override.OverridesCommand;
import io.ballast.cli.pool.BackendsCommand;
import io.ballast.cli.pool.PoolsCommand;
import io.ballast.cli.status.StatusCommand;
import io.ballast.cli.status.TopCommand;
import io.ballast.server.command.AgentCommand;
import io.ballast.server.command.CheckCommand;
import io.ballast.server.command.DemoCommand;
import io.ballast.server.command.RestartCommand;
import io.ballast.server.command.RunCommand;
import io.ballast.server.command.TrainCommand;
import io.ballast.server.command.VersionCommand;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The commands of {@code lb}, by their names. */
final class Commands {

    /** The commands in the order in which the help lists them. */
    private static final List<Map.Entry<String, Class<?>>> COMMANDS = List.of(
            Map.entry("run", RunCommand.class),
            Map.entry("agent", AgentCommand.class),
            Map.entry("demo", DemoCommand.class),
            Map.entry("check", CheckCommand.class),
            Map.entry("import", ImportCommand.class),
            Map.entry("status", StatusCommand.class),
            Map.entry("top", TopCommand.class),
            Map.entry("reload", ReloadCommand.class),
            Map.entry("restart", RestartCommand.class),
            Map.entry("backends", BackendsCommand.class),
            Map.entry("pools", PoolsCommand.class),
            Map.entry("overrides", OverridesCommand.class),
            Map.entry("explain", ExplainCommand.class),
            Map.entry("cache", CacheCommand.class),
            Map.entry("acme", AcmeCommand.class),
            Map.entry("cluster", ClusterCommand.class),
            Map.entry("agents", AgentsCommand.class),
            Map.entry("tokens", TokensCommand.class),
            Map.entry("dns", DnsCommand.class),
            Map.entry("dnssec", DnssecCommand.class),
            Map.entry("password", PasswordCommand.class),
            Map.entry("token", TokenCommand.class),
            Map.entry("train", TrainCommand.class),
            Map.entry("completion", CompletionCommand.class),
            Map.entry("version", VersionCommand.class));

    private Commands() {}

    /** Returns all commands, in the order of the help. */
    static Map<String, Class<?>> all() {
        Map<String, Class<?>> all = new LinkedHashMap<>();
        COMMANDS.forEach(command -> all.put(command.getKey(), command.getValue()));
        return Collections.unmodifiableMap(all);
    }

    /**
     * Returns a map with only the command of this name. Returns all commands if no command has this name, so that
     * similar names can be suggested. Also returns all commands for {@code completion}, which describes all of them.
     */
    static Map<String, Class<?>> named(String name) {
        Map<String, Class<?>> all = all();
        Class<?> found = all.get(name);
        return found == null || found == CompletionCommand.class ? all : Map.of(name, found);
    }
}
