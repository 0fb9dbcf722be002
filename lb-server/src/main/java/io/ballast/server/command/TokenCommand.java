package io.ballast.server.command;

import io.ballast.dashboard.access.Secrets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lb token}: makes a bearer token, and what the configuration says of it. */
@Command(
        name = "token",
        description = "Makes a bearer token for a program, and prints it with its hash for dashboard.tokens.",
        mixinStandardHelpOptions = true)
public final class TokenCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        String token = Secrets.token();
        spec.commandLine().getOut().println("token: " + token);
        spec.commandLine().getOut().println("token_hash: " + Secrets.tokenHash(token));
        spec.commandLine().getOut().flush();
    }
}
