package io.ballast.config.keys.policy;

import io.ballast.config.key.Key;
import io.ballast.config.key.Values;
import io.ballast.core.ErrorText;
import io.ballast.core.RegularFile;
import io.ballast.policy.config.oidc.OidcCookie;
import io.ballast.policy.config.oidc.OidcSecret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the secrets for OpenID Connect logins from files. Reports unusable secrets without showing them. */
final class OidcSecretFiles {

    private static final int MAX_BYTES = 16 * 1024;

    private OidcSecretFiles() {}

    /** Returns the secret in a file that contains nothing else; empty after reporting a problem. */
    static Optional<OidcSecret> client(Values values, Key<Path> key) {
        List<String> lines = lines(values, key);
        if (lines.size() > 1) {
            error(values, key, values.get(key) + " has " + lines.size() + " lines (expected: 1)");
            return Optional.empty();
        }
        return lines.isEmpty() ? Optional.empty() : secret(values, key, 1, lines.get(0), 1);
    }

    /** Returns the secrets of a file with one secret per line; empty after reporting a problem. */
    static List<OidcSecret> cookie(Values values, Key<Path> key) {
        List<String> lines = lines(values, key);
        if (lines.size() > OidcCookie.MAX_SECRETS) {
            error(
                    values,
                    key,
                    values.get(key) + " has " + lines.size() + " secrets (expected: at most " + OidcCookie.MAX_SECRETS
                            + ")");
            return List.of();
        }
        List<OidcSecret> secrets = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            secret(values, key, i + 1, lines.get(i), OidcCookie.MIN_SECRET_CHARACTERS)
                    .ifPresent(secrets::add);
        }
        return secrets;
    }

    private static Optional<OidcSecret> secret(Values values, Key<Path> key, int number, String line, int min) {
        if (line.length() < min || line.length() > OidcSecret.MAX_CHARACTERS) {
            error(
                    values,
                    key,
                    values.get(key) + ": secret " + number + " has " + line.length() + " characters (expected: " + min
                            + " to " + OidcSecret.MAX_CHARACTERS + ")");
            return Optional.empty();
        }
        return Optional.of(new OidcSecret(line));
    }

    /** Returns the lines of a file that are not empty; none after reporting a problem. */
    private static List<String> lines(Values values, Key<Path> key) {
        Path file = values.get(key);
        values.reading().registerFile(file);
        try (InputStream in = RegularFile.open(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                error(values, key, file + " is larger than " + MAX_BYTES + " bytes");
                return List.of();
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
            if (lines.isEmpty()) {
                error(values, key, file + " is empty (expected: a secret)");
            }
            return lines;
        } catch (CharacterCodingException e) {
            error(values, key, file + " is not UTF-8");
        } catch (IOException e) {
            error(values, key, file + " cannot be read: " + ErrorText.reason(e));
        }
        return List.of();
    }

    private static void error(Values values, Key<Path> key, String message) {
        values.reading().error(values.node(key), message);
    }
}
