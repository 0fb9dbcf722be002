package io.ballast.config.imports;

import io.ballast.core.ErrorText;
import io.ballast.policy.config.BasicUser;
import io.ballast.policy.config.HashedPassword;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks htpasswd files, because Ballast does not accept all kinds of hashes. Messages contain no hash. */
public final class ImportedUsers {

    private static final int MAX_BYTES = 1 << 20;

    private ImportedUsers() {}

    /**
     * Checks that a policy can use the file as {@code users_file}.
     *
     * @throws UntranslatableException if the file cannot be read or contains a user that Ballast does not accept
     */
    public static void check(Path file) throws UntranslatableException {
        String[] lines = text(file).split("\n", -1);
        boolean isEmpty = true;
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            isEmpty = false;
            int colon = line.indexOf(':');
            if (colon < 1 || !isAccepted(line.substring(0, colon), line.substring(colon + 1))) {
                throw new UntranslatableException(file + ":" + (i + 1)
                        + ": only bcrypt and argon2id hashes are accepted; create new ones with htpasswd -B or lb"
                        + " password");
            }
        }
        if (isEmpty) {
            throw new UntranslatableException(file + " has no users");
        }
    }

    private static String text(Path file) throws UntranslatableException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new UntranslatableException(file + " is larger than 1 MiB");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UntranslatableException(file + " cannot be read: " + ErrorText.reason(e));
        }
    }

    /** Returns whether a {@code basic} policy accepts a user and the hash of the password. */
    public static boolean isAccepted(String name, String hash) {
        try {
            BasicUser unused = new BasicUser(name, new HashedPassword(hash));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
