package io.ballast.dashboard.access;

import com.password4j.BcryptFunction;
import io.ballast.dashboard.config.DashboardAccess;
import io.ballast.dashboard.config.DashboardToken;
import io.ballast.dashboard.config.DashboardUser;
import io.ballast.dashboard.config.PasswordHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The credentials of the users and tokens of one configuration. Immutable. */
final class Credentials {

    private final Map<String, DashboardUser> users = new LinkedHashMap<>();
    private final List<HashedToken> tokens;

    /** For each configured bcrypt cost, a hash that matches no password. */
    private final List<PasswordHash> decoys;

    @SuppressWarnings("ArrayRecordComponent") // whole records are never compared
    private record HashedToken(byte[] hash, DashboardToken token) {}

    Credentials(DashboardAccess config) {
        config.users().forEach(user -> users.put(user.name(), user));
        tokens = config.tokens().stream()
                .map(token -> new HashedToken(token.tokenHash().bytes(), token))
                .toList();
        decoys = config.users().stream()
                .map(user -> user.passwordHash().cost())
                .distinct()
                .map(Credentials::decoy)
                .toList();
    }

    private static PasswordHash decoy(int cost) {
        return new PasswordHash("$2b$%02d$".formatted(cost) + ".".repeat(53));
    }

    /** Returns the user with that name. */
    Optional<DashboardUser> user(String name) {
        return Optional.ofNullable(users.get(name));
    }

    /**
     * Returns the token with this text. The check takes the same time for a wrong token, because every configured
     * hash is compared.
     */
    Optional<DashboardToken> token(String text) {
        byte[] hash = Secrets.sha256(text);
        DashboardToken found = null;
        for (HashedToken candidate : tokens) {
            if (MessageDigest.isEqual(hash, candidate.hash())) {
                found = candidate.token();
            }
        }
        return Optional.ofNullable(found);
    }

    /**
     * Returns the user if the password is right. The password is checked once at each configured bcrypt cost, against
     * the user's hash or a decoy. So the duration does not reveal whether the user exists.
     */
    Optional<DashboardUser> check(String name, String password) {
        DashboardUser user = users.get(name);
        byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
        boolean tooLong = bytes.length > Secrets.MAX_PASSWORD_BYTES;
        byte[] hashed = tooLong ? Arrays.copyOf(bytes, Secrets.MAX_PASSWORD_BYTES) : bytes;
        List<PasswordHash> matching = new ArrayList<>(1);
        for (PasswordHash decoy : decoys) {
            PasswordHash hash = hashOf(user, decoy);
            if (matches(hashed, hash)) {
                matching.add(hash);
            }
        }
        return Optional.ofNullable(user).filter(found -> !tooLong && matching.contains(found.passwordHash()));
    }

    /**
     * Checks a password. A hash of version 2a is read as version 2b, which is the same algorithm. The library computes
     * 2a wrongly for passwords with non-ASCII characters.
     */
    private static boolean matches(byte[] password, PasswordHash hash) {
        String text = hash.text().replaceFirst("^\\$2a", "\\$2b");
        return BcryptFunction.getInstanceFromHash(text).check(password, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static PasswordHash hashOf(@Nullable DashboardUser user, PasswordHash decoy) {
        return user != null && user.passwordHash().cost() == decoy.cost() ? user.passwordHash() : decoy;
    }
}
