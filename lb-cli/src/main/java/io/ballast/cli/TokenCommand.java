package io.ballast.cli;

import io.ballast.dashboard.access.Secrets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lb token}: generates a bearer token and its hash for the configuration. */
@Command(
        name = "token",
        description =
                "Generates a bearer token or API key for a program, and prints it with its SHA-256 for dashboard.tokens"
                        + " and for policies of the kind api_keys.",
        mixinStandardHelpOptions = true)
public final class TokenCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        String token = Secrets.generateToken();
        spec.commandLine().getOut().println("token: " + token);
        spec.commandLine().getOut().println("token_hash: " + Secrets.hashToken(token));
        spec.commandLine().getOut().flush();
    }
}
