package io.ballast.cli.api;

import io.ballast.core.Checks;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the connection of commands to a dashboard. */
public final class ApiOptions {

    /** The environment variable that holds a token. */
    static final String TOKEN_VARIABLE = "LB_TOKEN";

    private static final int MAX_TOKEN_BYTES = 4096;

    @Option(names = "--api", paramLabel = "URL", description = "URL of the dashboard, such as http://127.0.0.1:8001.")
    private @Nullable URI api;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with a bearer token (default: the environment variable LB_TOKEN).")
    private @Nullable Path tokenFile;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "PEM file with trusted certificates for an https URL (default: those trusted by Java).")
    private @Nullable Path ca;

    public Optional<URI> api() {
        return Optional.ofNullable(api);
    }

    public Optional<Path> ca() {
        return Optional.ofNullable(ca);
    }

    /** @throws IOException if the file cannot be used; the message contains its path, but never the token */
    public Optional<String> token() throws IOException {
        if (tokenFile == null) {
            return Optional.ofNullable(System.getenv(TOKEN_VARIABLE))
                    .map(String::trim)
                    .filter(token -> !token.isEmpty())
                    .map(token -> requireValidToken(TOKEN_VARIABLE, token));
        }
        if (Files.size(tokenFile) > MAX_TOKEN_BYTES) {
            throw new IOException(tokenFile + ": file is too long (expected: a bearer token)");
        }
        return Optional.of(requireValidToken(
                tokenFile.toString(),
                Files.readString(tokenFile, StandardCharsets.US_ASCII).trim()));
    }

    private static String requireValidToken(String place, String token) {
        Checks.that(
                token.matches("[\\x21-\\x7e]+"),
                place,
                token.length() + " characters",
                "a token of printable ASCII characters without spaces");
        return token;
    }
}
