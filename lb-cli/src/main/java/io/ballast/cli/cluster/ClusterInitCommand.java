package io.ballast.cli.cluster;

import io.ballast.cluster.identity.ClusterAuthority;
import io.ballast.core.ErrorText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lb cluster init}: creates the certificate authority of a cluster. */
@Command(
        name = "init",
        description =
                "Creates the certificate authority (CA) of a cluster: ca.crt, which each node needs, and ca.key, which"
                        + " only 'lb cluster cert' needs. Exit code 0: done; 1: a file exists already or cannot be written.",
        mixinStandardHelpOptions = true)
final class ClusterInitCommand implements Callable<Integer> {

    static final String AUTHORITY = "ca";

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "Name of the cluster.")
    private String name = "";

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            defaultValue = ".",
            description = "Where the files are written (default: the current directory).")
    private Path directory = Path.of(".");

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try {
            ClusterAuthority authority =
                    ClusterAuthority.create(name, Clock.systemUTC().instant());
            IdentityWriter.write(directory, AUTHORITY, authority.identity());
            out.println("created " + IdentityWriter.certificate(directory, AUTHORITY) + " and "
                    + IdentityWriter.key(directory, AUTHORITY) + ", valid for "
                    + ClusterAuthority.AUTHORITY_LIFETIME.toDays() + " days");
            out.println("next: lb cluster cert NODE, for each node; then keep ca.key in a safe place");
            out.flush();
            return 0;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            spec.commandLine().getErr().println("lb: " + ErrorText.of(e));
            spec.commandLine().getErr().flush();
            return 1;
        }
    }
}
