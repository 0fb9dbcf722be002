package io.ballast.cli.agent;

import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.DashboardOptions;
import io.ballast.core.DurationText;
import io.ballast.core.config.agent.AgentTokenHash;
import io.ballast.dashboard.access.Secrets;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lb tokens}: creates, lists and revokes the tokens with which agents register. */
@Command(
        name = "tokens",
        description = "Lists the tokens with which agents register at a running balancer, revokes one, or creates a new"
                + " one for the configuration. Exit code 0: done; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
public final class TokensCommand implements Callable<Integer> {

    private static final String PATH = "agent-tokens";

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Parameters(
            arity = "0..1",
            paramLabel = "CONFIG",
            defaultValue = DashboardOptions.CONFIG,
            description = DashboardOptions.CONFIG_TEXT)
    private Path file = Path.of(DashboardOptions.CONFIG);

    /** The content of a new token. */
    static final class Content {

        @Parameters(index = "0", paramLabel = "NAME", description = "The name of the token, such as rack1.")
        private String name = "";

        @Option(
                names = "--expires",
                paramLabel = "TIME",
                description =
                        "The time until agents can no longer register with the token, such as 30d (default: never).")
        private @Nullable String expires;
    }

    @Command(
            name = "create",
            description =
                    "Generates a token. Prints the token, which is stored nowhere, and the entry with its hash for"
                            + " pools.NAME.agents.tokens.",
            mixinStandardHelpOptions = true)
    int create(@Mixin Content content) {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        String token = Secrets.generateToken();
        String expires = content.expires == null
                ? ""
                : ", expires: \""
                        + Clock.systemUTC()
                                .instant()
                                .plus(DurationText.parse(content.expires))
                                .truncatedTo(ChronoUnit.SECONDS)
                        + "\"";
        out.println("token for the agents, shown only now: " + token);
        out.println("entry for pools.NAME.agents.tokens: {name: " + content.name + ", hash: \"" + AgentTokenHash.PREFIX
                + Secrets.hashToken(token) + "\"" + expires + "}");
        out.flush();
        return 0;
    }

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

    @Command(name = "list", description = "Lists the tokens of all pools.", mixinStandardHelpOptions = true)
    int list(@Mixin Config config, @Mixin DashboardOptions at) {
        return sendList(at, config.file);
    }

    /** The token of a subcommand. */
    static final class Choice {

        @Parameters(index = "0", paramLabel = "NAME", description = "The name of the token.")
        private String name = "";

        @Parameters(
                index = "1",
                arity = "0..1",
                paramLabel = "CONFIG",
                defaultValue = DashboardOptions.CONFIG,
                description = DashboardOptions.CONFIG_TEXT)
        private Path file = Path.of(DashboardOptions.CONFIG);
    }

    @Command(
            name = "revoke",
            description =
                    "Revokes a token at once, although it is still in the configuration. Agents that have registered"
                            + " with it stay; lb agents revoke removes them.",
            mixinStandardHelpOptions = true)
    int revoke(@Mixin Choice choice, @Mixin DashboardOptions at) {
        return at.send(
                choice.file,
                ApiRequest.post(PATH, choice.name, "revoke").withUser(),
                (token, out) ->
                        out.println("token " + token.text("name") + ": revoked; remove it from the configuration;"
                                + " agents that registered with it: " + token.text("agents")));
    }

    private static int sendList(DashboardOptions at, Path file) {
        return at.send(
                file,
                ApiRequest.get(PATH),
                (list, out) -> AgentText.ofTokens(list).forEach(out::println));
    }

    @Override
    public Integer call() {
        return sendList(dashboard, file);
    }
}
