package io.ballast.cli;

import io.ballast.acme.order.RevocationCode;
import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.DashboardOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lb acme}: lists and revokes certificates of a running balancer that were ordered by ACME. */
@Command(
        name = "acme",
        description = "Lists and revokes certificates of a running balancer that were ordered by ACME."
                + " Exit code 0: done; 2: refused; 1: no balancer or no certificate authority responds.",
        mixinStandardHelpOptions = true)
public final class AcmeCommand implements Runnable {

    /**
     * The time limit of a request. It is longer than the time that the API waits for a running order and the
     * certificate authority.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @Spec
    private CommandSpec spec;

    /** The revocation reasons, for the help text and shell completion. */
    static final class Reasons implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return RevocationCode.LABELS.iterator();
        }
    }

    @Command(
            name = "list",
            description = "Lists the certificates that are ordered by ACME, with their issuers; certificates with an"
                    + " error come first, then by the time of the next order. Certificates on demand are"
                    + " listed after a client has used them, at most 1000.",
            mixinStandardHelpOptions = true)
    int list(
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "100",
                            description = "The maximum number of certificates, up to 500; default: ${DEFAULT-VALUE}.")
                    int limit,
            @Option(
                            names = "--offset",
                            paramLabel = "N",
                            defaultValue = "0",
                            description = "The number of certificates to skip; default: ${DEFAULT-VALUE}.")
                    int offset,
            @Parameters(
                            index = "0",
                            arity = "0..1",
                            paramLabel = "CONFIG",
                            defaultValue = DashboardOptions.CONFIG,
                            description = DashboardOptions.CONFIG_TEXT)
                    Path file,
            @Mixin DashboardOptions at) {
        ApiRequest request =
                ApiRequest.get("certificates", "ordered").with("limit", limit).with("offset", offset);
        return at.send(
                file,
                request,
                (page, out) -> CertificateTable.lines(page, offset).forEach(out::println));
    }

    @Command(
            name = "revoke",
            description =
                    "Revokes the certificate of a name. If the configuration contains the name, a new certificate with"
                            + " a new key is ordered at once.",
            mixinStandardHelpOptions = true)
    int revoke(
            @Option(
                            names = "--reason",
                            paramLabel = "REASON",
                            defaultValue = "unspecified",
                            completionCandidates = Reasons.class,
                            description = "One of ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
                    String reason,
            @Parameters(index = "0", paramLabel = "NAME", description = "A host name or a wildcard.") String name,
            @Parameters(
                            index = "1",
                            arity = "0..1",
                            paramLabel = "CONFIG",
                            defaultValue = DashboardOptions.CONFIG,
                            description = DashboardOptions.CONFIG_TEXT)
                    Path file,
            @Mixin DashboardOptions at) {
        ApiRequest request = ApiRequest.post("certificates", "revoke")
                .with("name", name.toLowerCase(Locale.ROOT))
                .with("reason", reason)
                .withUser()
                .timeout(TIMEOUT);
        return at.send(
                file,
                request,
                (revoked, out) -> out.println("revoked: " + name
                        + (revoked.flag("ordered") ? "; a new certificate is ordered" : "; its files are deleted")));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }
}
