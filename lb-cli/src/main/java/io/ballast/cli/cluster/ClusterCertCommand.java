package io.ballast.cli.cluster;

import io.ballast.cluster.identity.ClusterAuthority;
import io.ballast.core.ErrorText;
import io.ballast.core.config.TlsFiles;
import io.ballast.net.tls.TlsIdentity;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lb cluster cert}: issues the certificate of a node. */
@Command(
        name = "cert",
        description = "Issues the certificate of a node with ca.crt and ca.key: NODE.crt and NODE.key."
                + " Exit code 0: done; 1: a file is missing, exists already or cannot be written.",
        mixinStandardHelpOptions = true)
final class ClusterCertCommand implements Callable<Integer> {

    private static final int MAX_DAYS = 3650;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NODE", description = "Name of the node: letters, digits, dots and hyphens.")
    private String node = "";

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            defaultValue = ".",
            description = "Directory of ca.crt and ca.key, and of the new files (default: the current directory).")
    private Path directory = Path.of(".");

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "365",
            description = "How long the certificate is valid (default: 365).")
    private int days;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try {
            if (days < 1 || days > MAX_DAYS) {
                throw new IllegalArgumentException("--days: " + days + " (expected: 1 to " + MAX_DAYS + ")");
            }
            ClusterAuthority authority = new ClusterAuthority(TlsIdentity.load(new TlsFiles(
                    IdentityWriter.certificate(directory, ClusterInitCommand.AUTHORITY),
                    IdentityWriter.key(directory, ClusterInitCommand.AUTHORITY),
                    Optional.empty())));
            TlsIdentity issued = authority.issue(node, Clock.systemUTC().instant(), Duration.ofDays(days));
            IdentityWriter.write(directory, node, issued);
            out.println("created " + IdentityWriter.certificate(directory, node) + " and "
                    + IdentityWriter.key(directory, node) + ", valid for " + days + " days");
            out.flush();
            return 0;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            spec.commandLine().getErr().println("lb: " + ErrorText.of(e));
            spec.commandLine().getErr().flush();
            return 1;
        }
    }
}
