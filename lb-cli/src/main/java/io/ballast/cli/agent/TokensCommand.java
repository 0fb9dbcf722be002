package io.ballast.cli.agent;

import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.ConfigArgument;
import io.ballast.cli.api.DashboardOptions;
import io.ballast.core.DurationText;
import io.ballast.core.config.agent.AgentTokenHash;
import io.ballast.dashboard.access.Secrets;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lb tokens}: creates, lists and revokes the tokens with which agents register. */
@Command(
        name = "tokens",
        description = "Lists the tokens with which agents register at a running balancer, revokes one, or creates a new"
                + " one. Exit code 0: done; 2: refused; 3: not committed by the cluster yet; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
public final class TokensCommand implements Callable<Integer> {

    private static final String PATH = "agent-tokens";
    private static final String SHOWN_ONCE = "token for the agents, shown only now: ";

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Mixin
    private ConfigArgument arguments = new ConfigArgument();

    /** The options that describe a new token. */
    static final class Content {

        @Option(
                names = "--pool",
                paramLabel = "POOL",
                split = ",",
                description = "Adds the token to the running balancer for this pool (or several with commas), without a"
                        + " change of the configuration; in a cluster on all nodes.")
        private List<String> pools = List.of();

        @Option(
                names = "--expires",
                paramLabel = "TIME",
                description =
                        "The time until agents can no longer register with the token, such as 30d (default: never).")
        private @Nullable String expires;

        Optional<Instant> end() {
            return Optional.ofNullable(expires)
                    .map(text -> Clock.systemUTC()
                            .instant()
                            .plus(DurationText.parse(text))
                            .truncatedTo(ChronoUnit.SECONDS));
        }
    }

    @Command(
            name = "create",
            description =
                    "Generates a token and prints it; it is stored nowhere. With --pool, the running balancer gets its hash."
                            + " Otherwise, prints the entry with its hash for pools.NAME.agents.tokens.",
            mixinStandardHelpOptions = true)
    int create(@Mixin ItemArguments token, @Mixin Content content, @Mixin DashboardOptions at) {
        String secret = Secrets.generateToken();
        String hash = AgentTokenHash.PREFIX + Secrets.hashToken(secret);
        if (content.pools.isEmpty()) {
            PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
            out.println(SHOWN_ONCE + secret);
            out.println("entry for pools.NAME.agents.tokens: {name: " + token.name() + ", hash: \"" + hash + "\""
                    + content.end().map(end -> ", expires: \"" + end + "\"").orElse("") + "}");
            out.flush();
            return 0;
        }
        ApiRequest request = ApiRequest.post(PATH, token.name())
                .with("hash", hash)
                .with("pool", String.join(",", content.pools))
                .with("expires", content.end().orElse(null))
                .withUser();
        return at.send(token.file(), request, (created, out) -> out.println(SHOWN_ONCE + secret));
    }

    @Command(name = "list", description = "Lists the tokens of all pools.", mixinStandardHelpOptions = true)
    int list(@Mixin ConfigArgument all, @Mixin DashboardOptions at) {
        return sendList(at, all.file());
    }

    @Command(
            name = "revoke",
            description =
                    "Revokes a token at once, also if it is still in the configuration. Agents that have registered"
                            + " with it stay; lb agents revoke removes them.",
            mixinStandardHelpOptions = true)
    int revoke(@Mixin ItemArguments token, @Mixin DashboardOptions at) {
        return at.send(
                token.file(),
                ApiRequest.post(PATH, token.name(), "revoke").withUser(),
                (revoked, out) -> out.println(
                        "token " + revoked.text("name") + ": revoked; if the configuration contains it, remove"
                                + " it there; agents that registered with it: " + revoked.text("agents")));
    }

    private static int sendList(DashboardOptions at, Path file) {
        return at.send(
                file,
                ApiRequest.get(PATH),
                (list, out) -> AgentText.ofTokens(list).forEach(out::println));
    }

    @Override
    public Integer call() {
        return sendList(dashboard, arguments.file());
    }
}
