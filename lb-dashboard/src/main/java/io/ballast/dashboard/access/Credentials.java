package io.ballast.dashboard.access;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.ballast.core.config.DashboardAccess;
import io.ballast.core.config.DashboardToken;
import io.ballast.core.config.DashboardUser;
import io.ballast.core.config.PasswordHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What users and tokens of one configuration prove themselves by. Immutable. */
final class Credentials {

    private final Map<String, DashboardUser> users = new LinkedHashMap<>();
    private final List<Known> tokens;

    /** One hash of no password for each cost that there is. */
    private final List<PasswordHash> decoys;

    @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
    private record Known(byte[] hash, DashboardToken token) {}

    Credentials(DashboardAccess config) {
        config.users().forEach(user -> users.put(user.name(), user));
        tokens = config.tokens().stream()
                .map(token -> new Known(token.tokenHash().bytes(), token))
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

    /** The user of that name. */
    Optional<DashboardUser> user(String name) {
        return Optional.ofNullable(users.get(name));
    }

    /** Which token this is; as fast for a wrong one. */
    Optional<DashboardToken> token(String text) {
        byte[] hash = Secrets.sha256(text);
        DashboardToken found = null;
        for (Known known : tokens) {
            if (MessageDigest.isEqual(hash, known.hash())) {
                found = known.token();
            }
        }
        return Optional.ofNullable(found);
    }

    /**
     * Who logs in by this password. It is checked once at each cost that any user's hash has, against that of the user or
     * none at all, so that the time it takes does not tell whether there is such a user.
     */
    Optional<DashboardUser> check(String name, String password) {
        DashboardUser user = users.get(name);
        byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
        boolean tooLong = bytes.length > Secrets.MOST_PASSWORD_BYTES;
        byte[] read = tooLong ? Arrays.copyOf(bytes, Secrets.MOST_PASSWORD_BYTES) : bytes;
        List<PasswordHash> matching = new ArrayList<>(1);
        for (PasswordHash decoy : decoys) {
            PasswordHash hash = hashOf(user, decoy);
            if (BCrypt.verifyer().verify(read, hash.text().getBytes(StandardCharsets.US_ASCII)).verified) {
                matching.add(hash);
            }
        }
        return Optional.ofNullable(user).filter(known -> !tooLong && matching.contains(known.passwordHash()));
    }

    private static PasswordHash hashOf(@Nullable DashboardUser user, PasswordHash decoy) {
        return user != null && user.passwordHash().cost() == decoy.cost() ? user.passwordHash() : decoy;
    }
}
